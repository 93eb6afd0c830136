// The texts of all mails: their list, and the chosen one as its reader sees it.
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { type MailTemplate, MOBILE_MAX_WIDTH } from '@/core/constants.gen';
import { SearchField } from '@/ui/Controls';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { useMedia } from '@/ui/useMedia';
import s from './mails.module.css';
import { Preview } from './Preview';
import { TemplateOptions } from './TemplateOptions';
import { FIRST_TEMPLATE, TEMPLATES_BY_TOPIC, templateIn } from './templates';

const PHONE = `(max-width: ${MOBILE_MAX_WIDTH}px)`;

export function TextsView() {
  const { t } = useTranslation('mails');
  const isPhone = useMedia(PHONE);
  const [{ Template }, change] = useFilters(['Template']);
  const chosen = templateIn(Template) ?? FIRST_TEMPLATE;
  return (
    <div className={s.texts}>
      {isPhone ? (
        <SelectField
          label={t('mail')}
          hideLabel
          value={chosen}
          onChange={(event) => change({ Template: event.target.value })}
        >
          <TemplateOptions />
        </SelectField>
      ) : (
        <TemplateList chosen={chosen} />
      )}
      <Preview template={chosen} />
    </div>
  );
}

function TemplateList({ chosen }: { chosen: MailTemplate }) {
  const { t, i18n } = useTranslation('mails');
  const [parameters] = useSearchParams();
  const [typed, setTyped] = useState('');
  const folded = (text: string) => text.toLocaleLowerCase(i18n.language);
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const isFound = (template: MailTemplate) => {
    const name = folded(t(`templates.${template}`));
    return words.every((word) => name.includes(word));
  };
  const found = TEMPLATES_BY_TOPIC.map(({ topic, templates }) => ({
    topic,
    templates: templates.filter(isFound),
  })).filter(({ templates }) => templates.length > 0);
  const topics = useRef<HTMLDivElement>(null);
  // An address may name a text far below.
  useEffect(() => {
    const box = topics.current;
    const current = box?.querySelector<HTMLElement>('[aria-current]');
    if (box && current) box.scrollTop = current.offsetTop - box.clientHeight / 2;
  }, []);
  const addressOf = (template: MailTemplate) => {
    const next = new URLSearchParams(parameters);
    next.set('Template', template);
    return `?${next}`;
  };
  return (
    <nav className={s.list} aria-label={t('view.texts')}>
      <SearchField label={t('searchText')} value={typed} onChange={(event) => setTyped(event.target.value)} />
      <div className={s.topics} ref={topics}>
        {found.map(({ topic, templates }) => (
          <section key={topic}>
            <h2>{t(`topic.${topic}`)}</h2>
            <ul>
              {templates.map((template) => (
                <li key={template}>
                  <Link replace to={addressOf(template)} aria-current={template === chosen ? 'true' : undefined}>
                    {t(`templates.${template}`)}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {found.length === 0 && <p role="status">{t('noText')}</p>}
      </div>
    </nav>
  );
}
