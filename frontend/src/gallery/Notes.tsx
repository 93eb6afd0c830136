// Small notes about states, and larger ones beside what they are about.
import type { ComponentProps } from 'react';
import { AnnouncementTone, OrderState } from '@/core/constants.gen';
import { Announcement } from '@/ui/Announcement';
import { Notice } from '@/ui/Notice';
import { OrderStateBadge } from '@/ui/order/OrderStateBadge';
import { PlainDocument } from '@/ui/PlainDocument';
import { ProductBadges } from '@/ui/ProductBadges';
import { ProxyTest } from '@/ui/ProxyTest';
import { Badge } from '@/ui/State';
import g from './gallery.module.css';
import { Specimen } from './Part';

const TESTS: [string, Pick<ComponentProps<typeof ProxyTest>, 'result' | 'isBusy'>][] = [
  ['not tested yet', { result: undefined, isBusy: false }],
  ['busy', { result: undefined, isBusy: true }],
  ['works', { result: { Works: true, Milliseconds: 84, ExitIp: '198.18.0.1' }, isBusy: false }],
  ['fails', { result: { Works: false, Milliseconds: 9, Problem: 'badStatus', Reason: 'paused' }, isBusy: false }],
];
const DOCUMENT = '# Heading\n\nA paragraph,\nwith its line breaks.\n\n- An item\n- Another item';
const TONES = ['neutral', 'good', 'warn', 'bad', 'accent'] as const;

export function Notes() {
  return (
    <>
      <Specimen label="Badge: every tone">
        <div className={g.row}>
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
      </Specimen>
      <Specimen label="OrderStateBadge: every state">
        <div className={g.row}>
          {Object.values(OrderState).map((state) => (
            <OrderStateBadge key={state} state={state} />
          ))}
        </div>
      </Specimen>
      <Specimen label="ProductBadges: every state">
        <div className={g.row}>
          <ProductBadges summary={{ ActiveCount: 0, GraceCount: 0, EndingSoonCount: 0 }} />
          <ProductBadges summary={{ ActiveCount: 3, GraceCount: 0, EndingSoonCount: 0 }} />
          <ProductBadges summary={{ ActiveCount: 3, GraceCount: 0, EndingSoonCount: 1 }} />
          <ProductBadges summary={{ ActiveCount: 3, GraceCount: 2, EndingSoonCount: 1 }} />
        </div>
      </Specimen>
      {TONES.map((tone) => (
        <Specimen key={tone} label={`Notice, ${tone}`}>
          <Notice tone={tone}>Something that a reader of this screen has to know, in a sentence or two.</Notice>
        </Specimen>
      ))}
      {Object.values(AnnouncementTone).map((tone) => (
        <Specimen key={tone} label={`Announcement, ${tone}`}>
          <Announcement tone={tone} text="Maintenance on Sunday morning." link="/status" onClose={() => {}} />
        </Specimen>
      ))}
      <Specimen label="PlainDocument">
        <PlainDocument text={DOCUMENT} />
      </Specimen>
      {TESTS.map(([label, state]) => (
        <Specimen key={label} label={`ProxyTest, ${label}`}>
          <ProxyTest lead="Sends one request." start="Test" country="Germany" onTest={() => {}} {...state} />
        </Specimen>
      ))}
    </>
  );
}
