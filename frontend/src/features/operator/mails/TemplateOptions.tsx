// The names of all texts, by topic, as the options of a select.
import { useTranslation } from 'react-i18next';
import { TEMPLATES_BY_TOPIC } from './templates';

export function TemplateOptions() {
  const { t } = useTranslation('mails');
  return TEMPLATES_BY_TOPIC.map(({ topic, templates }) => (
    <optgroup key={topic} label={t(`topic.${topic}`)}>
      {templates.map((template) => (
        <option key={template} value={template}>
          {t(`templates.${template}`)}
        </option>
      ))}
    </optgroup>
  ));
}
