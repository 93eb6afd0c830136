// Gives a customer another node in place of a faulty one.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type InventoryNode, replaceNode } from '@/api/inventory';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { Button } from '@/ui/Button';
import { OptionList } from '@/ui/Controls';
import { nothingSelected, type Selection } from '@/ui/DataGrid';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { fillText } from '@/ui/fillText';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Copied } from '@/ui/Secret';
import { DateText, useName } from '@/ui/texts';
import { Place } from './cells';
import s from './inventory.module.css';
import { ReplacementList } from './ReplacementList';
import { useTiers } from './tiers';

interface ReplaceDialogProps {
  node: InventoryNode;
  onDone: () => void;
  onClose: () => void;
}

type Choice = 'sameCity' | 'chosen';

const OUT_OF_STOCK = 4002;

export function ReplaceDialog({ node, onDone, onClose }: ReplaceDialogProps) {
  const { t } = useTranslation(['inventory', 'common']);
  const name = useName();
  const call = useCall(replaceNode, { silent: true });
  const [choice, setChoice] = useState<Choice>('sameCity');
  const [selected, setSelected] = useState<Selection<InventoryNode>>(nothingSelected);
  const [Reason, setReason] = useState('');
  const [Retire, setRetire] = useState(true);
  const [chosen] = selected.rows;
  const isOutOfStock = call.refusal?.code === OUT_OF_STOCK;
  const unfit = call.errors.textOf('NewNodeId');
  const City = name({ en: node.CityNameEn, zh: node.CityNameZh });
  const choose = (next: Choice) => {
    call.forgetRefusal();
    call.errors.clear('NewNodeId');
    setChoice(next);
  };
  const title = t('replace.title', { Ip: node.Ip });
  if (call.answer) {
    const { NewIp } = call.answer;
    return (
      <Dialog
        open
        onClose={onClose}
        title={title}
        actions={
          <Button variant="primary" onClick={onClose}>
            {t('common:done')}
          </Button>
        }
      >
        <Notice tone="good">
          {fillText((marks) => t('replace.done', { Email: node.Email ?? '', ...marks }), {
            NewIp: <Copied text={NewIp} label={t('copyIp', { Ip: NewIp })} />,
          })}
        </Notice>
      </Dialog>
    );
  }
  return (
    <FormDialog
      wide
      call={isOutOfStock ? { ...call, message: undefined } : call}
      title={title}
      action={choice === 'chosen' && chosen ? t('replace.submitWith', { Ip: chosen.Ip }) : t('replace.submit')}
      danger
      disabled={choice === 'chosen' && !chosen}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, {
          broken: screenRules().validateReason(Reason),
          body: {
            NodeId: node.NodeId,
            ...(choice === 'chosen' && chosen && { NewNodeId: chosen.NodeId }),
            Reason,
            Retire,
          },
          onDone,
        })
      }
      onClose={onClose}
    >
      <Facts node={node} />
      <OptionList<Choice>
        label={t('replace.with')}
        value={choice}
        onChange={choose}
        options={[
          { value: 'sameCity', label: t('replace.sameCity', { City }), hint: t('replace.sameCityHint') },
          { value: 'chosen', label: t('replace.chosen'), hint: t('replace.chosenHint') },
        ]}
      />
      {isOutOfStock && (
        <Notice tone="warn">
          <p>{t('replace.outOfStock', { City })}</p>
          <Button size="small" onClick={() => choose('chosen')}>
            {t('replace.otherCity')}
          </Button>
        </Notice>
      )}
      {choice === 'chosen' && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps Enter in the search from sending the form
        <div onKeyDown={(event) => event.key === 'Enter' && isTyping(event.target) && event.preventDefault()}>
          <ReplacementList
            node={node}
            value={selected}
            onChange={(rows) => {
              call.errors.clear('NewNodeId');
              setSelected(rows);
            }}
          />
        </div>
      )}
      {unfit && <Notice tone="bad">{unfit}</Notice>}
      <TextField
        label={t('replace.reason')}
        hint={t('replace.reasonHint')}
        autoComplete="off"
        {...call.bind('Reason', Reason, setReason)}
      />
      <label className={s.check}>
        <input type="checkbox" checked={Retire} onChange={(event) => setRetire(event.target.checked)} />
        <span>
          {t('replace.retire')}
          <small>{t(Retire ? 'replace.retired' : 'replace.kept')}</small>
        </span>
      </label>
    </FormDialog>
  );
}

const isTyping = (target: EventTarget) => target instanceof HTMLInputElement && target.type === 'search';

/** Whose node it is, and where. */
function Facts({ node }: { node: InventoryNode }) {
  const { t } = useTranslation('inventory');
  const { tierName } = useTiers();
  return (
    <dl className={s.facts}>
      <div>
        <dt>{t('owner')}</dt>
        <dd>{node.Email}</dd>
      </div>
      <div>
        <dt>{t('place')}</dt>
        <dd>
          <Place of={node} />
        </dd>
      </div>
      <div>
        <dt>{t('tier')}</dt>
        <dd>{tierName(node.VerStr)}</dd>
      </div>
      <div>
        <dt>{t('expires')}</dt>
        <dd>
          <DateText value={node.ExpiresAt} />
        </dd>
      </div>
    </dl>
  );
}
