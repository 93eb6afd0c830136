// The steps that open a shop, until all are done. It can be hidden, and shown again.
import { CheckCircle, Circle, X } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SetupStepView } from '@/api/business';
import { BACKUP_DAYS, OPERATOR_PATH, SetupStep } from '@/core/constants.gen';
import { IconButton } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { fillText } from '@/ui/fillText';
import { Card } from '@/ui/Page';
import s from './business.module.css';
import { useChecklist } from './checklist';

const LEADS_TO: Partial<Record<SetupStep, string>> = {
  prices: `${OPERATOR_PATH}/prices`,
  inventory: `${OPERATOR_PATH}/inventory`,
  proxy_server: `${OPERATOR_PATH}/proxy-servers`,
  second_factor: '/my-account/password',
};

/** Steps that are done by a setting of the server. */
const SETTINGS: readonly SetupStep[] = [SetupStep.Mail, SetupStep.Seller, SetupStep.Payment];

export const isOpen = (steps: readonly SetupStepView[]) => steps.some((step) => !step.IsDone);

export function Checklist({ steps }: { steps: readonly SetupStepView[] }) {
  const { t } = useTranslation('business');
  const setHidden = useChecklist((state) => state.setHidden);
  const undone = steps.filter((step) => !step.IsDone);
  return (
    <Card
      title={t('steps.title')}
      aside={
        <span className={s.stepsAside}>
          <span className={s.soft}>{t('steps.done', { Done: steps.length - undone.length, Of: steps.length })}</span>
          <IconButton size="small" label={t('steps.hide')} onClick={() => setHidden(true)}>
            <X size={16} />
          </IconButton>
        </span>
      }
    >
      <ol className={s.steps}>
        {steps.map(({ Step, IsDone }) => (
          <li key={Step} data-done={IsDone || undefined} data-next={Step === undone[0]?.Step || undefined}>
            {IsDone ? (
              <CheckCircle size={20} weight="fill" aria-hidden="true" />
            ) : (
              <Circle size={20} aria-hidden="true" />
            )}
            <div>
              <Name step={Step} isDone={IsDone} />
              {!IsDone && (
                <p>
                  <Hint step={Step} />
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
      {undone.some(({ Step }) => SETTINGS.includes(Step)) && <p className={s.note}>{t('steps.restart')}</p>}
    </Card>
  );
}

function Name({ step, isDone }: { step: SetupStep; isDone: boolean }) {
  const { t } = useTranslation('business');
  const path = LEADS_TO[step];
  const name = t(`steps.name.${step}`);
  if (isDone) {
    return (
      <>
        <strong>{name}</strong>
        <span className="visually-hidden"> {t('steps.isDone')}</span>
      </>
    );
  }
  return path ? <Link to={path}>{name}</Link> : <strong>{name}</strong>;
}

/** What to do, with the settings and commands to copy. */
function Hint({ step }: { step: SetupStep }) {
  const { t } = useTranslation('business');
  switch (step) {
    case SetupStep.Mail:
      return fillText((marks) => t('steps.hint.mail', marks), { Setting: <Copied text="POSTERN_SMTP_URL" /> });
    case SetupStep.Seller:
      return fillText((marks) => t('steps.hint.seller', marks), { Setting: <Copied text="POSTERN_SELLER_ADDRESS" /> });
    case SetupStep.Payment:
      return fillText((marks) => t('steps.hint.payment', marks), {
        Cards: <Copied text="POSTERN_STRIPE_SECRET_KEY" />,
        Transfers: <Copied text="POSTERN_TRANSFER_DETAILS" />,
      });
    case SetupStep.Backup:
      return fillText((marks) => t('steps.hint.backup', { Days: BACKUP_DAYS, ...marks }), {
        Command: <Copied text="postern backup FILE" />,
      });
    case SetupStep.Sale:
      return fillText((marks) => t('steps.hint.sale', marks), { Address: <Copied text={window.location.origin} /> });
    default:
      return t(`steps.hint.${step}`);
  }
}

function Copied({ text }: { text: string }) {
  const { t } = useTranslation('business');
  return (
    <span className={s.copied}>
      <code>{text}</code>
      <CopyButton text={text} label={t('steps.copy', { Text: text })} />
    </span>
  );
}
