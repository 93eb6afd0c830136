// Shown when the locale files cannot be loaded: the only hard-coded texts, in both languages.
import { Button } from '@/ui/Button';
import { useRecovery } from '@/ui/useRecovery';
import s from './app.module.css';

const WORDS = [
  {
    lang: 'en',
    title: 'This page could not be loaded',
    hint: 'Check your connection. The page loads by itself once you are back online.',
    retry: 'Try again',
  },
  { lang: 'zh-CN', title: '页面加载失败', hint: '请检查网络连接。恢复联网后，页面会自动加载。', retry: '重试' },
];

export function TextsMissing() {
  useRecovery(() => window.location.reload());
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
