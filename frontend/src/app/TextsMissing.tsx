// Shown when the locale files cannot be loaded: the only hard-coded texts, in both languages.
import { Button } from '@/ui/Button';
import s from './app.module.css';

const WORDS = [
  {
    lang: 'en',
    title: 'This page could not be loaded',
    hint: 'Check your connection and try again.',
    retry: 'Try again',
  },
  { lang: 'zh-CN', title: '页面加载失败', hint: '请检查网络连接后重试。', retry: '重试' },
];

export function TextsMissing() {
  return (
    <main className={s.notFound}>
      {WORDS.map(({ lang, title, hint }) => (
        <div key={lang} lang={lang} role="alert">
          <h1>{title}</h1>
          <span>{hint}</span>
        </div>
      ))}
      <Button variant="primary" onClick={() => window.location.reload()}>
        {WORDS.map(({ retry }) => retry).join(' · ')}
      </Button>
    </main>
  );
}
