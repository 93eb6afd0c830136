// Unpaid orders in the header, each with its time left.
import { Receipt } from '@phosphor-icons/react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useOrderStore } from '@/stores/order';
import { Button } from '@/ui/Button';
import { Popover } from '@/ui/Overlay';
import { useContentsText } from '@/ui/order/contents';
import s from '@/ui/order/order.module.css';
import { MoneyText, TimeLeft } from '@/ui/texts';
import { CancelOrder } from './CancelOrder';
import local from './orders.module.css';

export function UnpaidOrdersMenu() {
  const { t } = useTranslation('orders');
  const { unpaidOrders, askedAt, loadUnpaidOrders } = useOrderStore();
  const contents = useContentsText();
  const passed = useSecondsSince(askedAt);
  const waiting = unpaidOrders.filter((order) => order.SecondsLeft > passed);
  if (waiting.length === 0) return null;
  return (
    <Popover
      label={t('unpaid.title')}
      trigger={
        <Button variant="ghost" icon={<Receipt size={18} />} aria-label={t('unpaid.count', { count: waiting.length })}>
          <span className={local.count}>{waiting.length}</span>
        </Button>
      }
    >
      <div className={local.unpaid}>
        <h2>{t('unpaid.title')}</h2>
        <ul>
          {waiting.map((order) => (
            <li key={order.OrderId}>
              <div>
                <Link to={`/order?OrderId=${order.OrderId}`}>{order.OrderNumber}</Link>
                <strong>
                  <MoneyText amount={order.Total} currency={order.Currency} />
                </strong>
              </div>
              <div>
                <span className={s.soft}>
                  {contents(order)} · {t('timeLeft')} <TimeLeft seconds={order.SecondsLeft - passed} />
                </span>
                <span className={local.buttons}>
                  <CancelOrder order={order} small onCancelled={() => loadUnpaidOrders()} />
                  <Link to={`/order?OrderId=${order.OrderId}`} className={local.pay}>
                    {t('pay')}
                  </Link>
                </span>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </Popover>
  );
}

/** Seconds since a moment, updated every second while visible. */
export function useSecondsSince(moment: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - moment) / 1000));
}
