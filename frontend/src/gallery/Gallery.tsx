// All components of ui/ in all their states, for developers. The texts of this folder are not translated.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import type { Language } from '@/core/constants.gen';
import { changeLanguage } from '@/i18n';
import { SegmentedControl } from '@/ui/Controls';
import { ThemeSwitch } from '@/ui/ThemeSwitch';
import { Toasters } from '@/ui/Toasters';
import { Buttons } from './Buttons';
import { Charts } from './Charts';
import { Choices } from './Choices';
import { Dates } from './Dates';
import { Fields } from './Fields';
import { Forms } from './Forms';
import { Frames } from './Frames';
import g from './gallery.module.css';
import { Lists } from './Lists';
import { Notes } from './Notes';
import { Orders } from './Orders';
import { Overlays } from './Overlays';
import { Part } from './Part';
import { Values } from './Values';
import { Waiting } from './Waiting';

const PARTS = [
  ['buttons', 'Buttons', Buttons],
  ['fields', 'Fields', Fields],
  ['choices', 'Choices', Choices],
  ['dates', 'Dates', Dates],
  ['notes', 'Badges and notices', Notes],
  ['waiting', 'Waiting, empty, failed', Waiting],
  ['overlays', 'Dialogs, menus, toasts', Overlays],
  ['lists', 'Lists and tables', Lists],
  ['charts', 'Charts', Charts],
  ['values', 'Values', Values],
  ['frames', 'Frames of screens', Frames],
  ['forms', 'Forms', Forms],
  ['orders', 'Orders', Orders],
] as const;

export function Gallery() {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  return (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <header className={g.bar}>
          <h1>Components</h1>
          <LanguageChoice />
          <ThemeSwitch />
        </header>
        <div className={g.room}>
          <nav className={g.parts} aria-label="Parts">
            <ul>
              {PARTS.map(([id, title]) => (
                <li key={id}>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
          <main id="main" tabIndex={-1} className={g.main}>
            {PARTS.map(([id, title, Specimens]) => (
              <Part key={id} id={id} title={title}>
                <Specimens />
              </Part>
            ))}
          </main>
        </div>
        <Toasters />
      </MemoryRouter>
    </QueryClientProvider>
  );
}

function LanguageChoice() {
  const { i18n } = useTranslation();
  return (
    <SegmentedControl<Language>
      label="Language"
      value={i18n.language === 'zh' ? 'zh' : 'en'}
      segments={[
        { value: 'en', label: 'English' },
        { value: 'zh', label: '中文' },
      ]}
      onChange={changeLanguage}
    />
  );
}
