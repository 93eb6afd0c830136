// Converts a list pasted from another provider, with remarks per line on what could not be converted.
import { Copy, DownloadSimple } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointServer } from '@/api/endpoints';
import { type ProxyUserView, passwordQuery } from '@/api/proxyUsers';
import { type EndpointFormat, screenRules } from '@/core';
import { clientIpUrl } from '@/core/clientIp';
import { convertEndpointList } from '@/core/endpointLists';
import { type Converted, lineCount, textOf } from '@/core/endpointTasks';
import { isViewing } from '@/stores/user';
import { Button } from '@/ui/Button';
import { copy } from '@/ui/CopyButton';
import { Frame, SelectField } from '@/ui/Field';
import { useRuleText } from '@/ui/form';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { saveFile } from '@/ui/saveFile';
import { toastError } from '@/ui/toast';
import { portOf } from '../endpointServers';
import s from './generator.module.css';
import { LineList } from './LineList';
import { PASSWORD_PLACEHOLDER } from './settings';

/** Debounces pasting and typing. */
const PAUSE_MS = 200;

interface ConvertDialogProps {
  server: EndpointServer;
  scheme: 'http' | 'socks5';
  user: ProxyUserView | undefined;
  onClose: () => void;
}

export function ConvertDialog({ server, scheme, user, onClose }: ConvertDialogProps) {
  const { t } = useTranslation(['generator', 'common']);
  const [pasted, setPasted] = useState('');
  const [dialect, setDialect] = useState('');
  const [format, setFormat] = useState<EndpointFormat>('host_port_user_pass');
  const [result, setResult] = useState<Converted>();
  /** Whether the result is of what was typed or chosen before. */
  const [isStale, setStale] = useState(false);
  // It is not revealed to an operator who views the shop as the customer.
  const asked = useQuery({ ...passwordQuery(user?.ProxyUserId ?? 0), enabled: user !== undefined && !isViewing() });
  const isComing = user !== undefined && asked.isPending && asked.fetchStatus === 'fetching';
  const password = asked.data ?? PASSWORD_PLACEHOLDER;
  const ruleText = useRuleText((result?.remarks.length ?? 0) > 0);
  const port = portOf(server, scheme);
  const name = user?.Name;

  useEffect(() => {
    if (!pasted.trim()) {
      setResult(undefined);
      return;
    }
    setStale(true);
    if (isComing) return;
    let isOver = false;
    const later = setTimeout(async () => {
      try {
        const converted = await convertEndpointList(pasted, {
          Scheme: scheme,
          Host: server.Host,
          Format: format,
          Target: clientIpUrl(),
          ...(port && { Port: port }),
          ...(name && { Name: name }),
          ...(name && { Password: password }),
          ...(dialect && { Dialect: dialect }),
        });
        if (isOver) return;
        setResult(converted);
        setStale(false);
      } catch {
        if (isOver) return;
        setResult(undefined);
        toastError(t('result.failed'));
      }
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(later);
    };
  }, [pasted, dialect, format, scheme, server.Host, port, name, password, isComing, t]);

  const count = result ? lineCount(result.list) : 0;
  const isReady = count > 0 && !isStale;
  const shops = screenRules().dialects();
  const shopOf = (key: string | undefined) => shops.find((shop) => shop.Key === key)?.Name;
  const lineText = (Line: number, Provider: string | undefined) =>
    Provider ? t('convert.lineOf', { Line, Provider }) : t('convert.line', { Line });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('convert.title')}
      actions={
        <>
          <Button
            icon={<DownloadSimple size={16} />}
            disabled={!isReady}
            onClick={() => result && saveFile(new File([result.list.bytes], 'endpoints.txt', { type: 'text/plain' }))}
          >
            {t('result.download')}
          </Button>
          <Button
            variant="primary"
            icon={<Copy size={16} />}
            disabled={!isReady}
            onClick={() => result && copy(textOf(result.list), t('result.copied', { count }))}
          >
            {t('result.copy')}
          </Button>
        </>
      }
    >
      <div className={s.form}>
        <p className={s.soft}>{t('convert.lead')}</p>
        <Frame label={t('convert.paste')}>
          {(described) => (
            <textarea
              {...described}
              className={s.paste}
              spellCheck={false}
              rows={5}
              placeholder={shops[0]?.Example}
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
            />
          )}
        </Frame>
        <div className={s.columns}>
          <SelectField
            label={t('convert.provider')}
            hint={t('convert.providerHint')}
            value={dialect}
            onChange={(event) => setDialect(event.target.value)}
          >
            <option value="">{t('convert.detectProvider')}</option>
            {shops.map((shop) => (
              <option key={shop.Key} value={shop.Key}>
                {shop.Name}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('settings.format')}
            value={format}
            onChange={(event) => setFormat(event.target.value as EndpointFormat)}
          >
            {screenRules()
              .endpointFormats()
              .map((one) => (
                <option key={one} value={one}>
                  {t(`format.${one}`)}
                </option>
              ))}
          </SelectField>
        </div>
        {name && <p className={s.soft}>{t('convert.user', { Name: name })}</p>}
        {name && !isComing && asked.data === undefined && (
          <Notice tone="warn">{t('noPassword', { Placeholder: PASSWORD_PLACEHOLDER })}</Notice>
        )}
        {result && (
          <>
            {result.read > 0 && <Notice tone="good">{t('convert.converted', { count: result.read })}</Notice>}
            {result.lost > 0 && <Notice tone="warn">{t('convert.notConverted', { count: result.lost })}</Notice>}
            {result.remarks.length > 0 && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: overflowing content must be scrollable by keyboard
              <section className={s.remarks} tabIndex={0} aria-label={t('convert.changes')}>
                <ul>
                  {result.remarks.map((remark, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a line may have the same remark twice
                    <li key={index} data-bad={remark.isLost || undefined}>
                      {t('common:labelled', {
                        Label: lineText(remark.line, shopOf(remark.dialect)),
                        Value: ruleText(remark.broken),
                      })}
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {count > 0 && <LineList list={result.list} label={t('convert.ours')} isStale={isStale} />}
          </>
        )}
      </div>
    </Dialog>
  );
}
