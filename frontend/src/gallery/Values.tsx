// Values: money, times, places, codes, and what is copied or hidden.
import { CodeBlock, CopyButton } from '@/ui/CopyButton';
import { Flag } from '@/ui/Flag';
import { Logo, LogoAndName } from '@/ui/Logo';
import { QrCode } from '@/ui/QrCode';
import { Copied, Secret } from '@/ui/Secret';
import { AgoText, DateText, MoneyText, PriceText, placeText, TimeLeft, UntilText } from '@/ui/texts';
import g from './gallery.module.css';
import { Specimen } from './Part';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString().slice(0, 19);

const COMMAND = `curl -x http://user:secret@198.18.0.1:8000 \\
  https://example.com`;

export function Values() {
  return (
    <>
      <Specimen label="MoneyText: currencies, and with its sign">
        <div className={g.row}>
          <MoneyText amount="1234.50" currency="USD" />
          <MoneyText amount="1234.50" currency="EUR" />
          <MoneyText amount="1234.50" currency="CNY" />
          <MoneyText amount="20.00" currency="USD" signed />
          <MoneyText amount="-20.00" currency="USD" signed />
        </div>
      </Specimen>
      <Specimen label="PriceText: a list price, and a wholesale one">
        <div className={g.row}>
          <span>
            <PriceText listPrice="5.00" currency="USD" basisPoints={0} />
          </span>
          <span>
            <PriceText listPrice="5.00" currency="USD" basisPoints={1500} />
          </span>
        </div>
      </Specimen>
      <Specimen label="DateText; UntilText: far, soon, over, none; AgoText: hours ago, just now">
        <div className={g.row}>
          <DateText value="2026-11-23 14:30:00" />
          <DateText value={null} />
        </div>
        <div className={g.row}>
          <UntilText value={inHours(500)} />
          <UntilText value={inHours(30)} />
          <UntilText value={inHours(-30)} />
          <UntilText value={null} />
          <AgoText value={inHours(-3)} justNow="Just now" />
          <AgoText value={inHours(0)} justNow="Just now" />
        </div>
      </Specimen>
      <Specimen label="TimeLeft: minutes, and hours">
        <div className={g.row}>
          <TimeLeft seconds={95} />
          <TimeLeft seconds={7_325} />
        </div>
      </Specimen>
      <Specimen label="Flag, and placeText">
        <div className={g.row}>
          {['JP', 'DE', 'US', 'BR'].map((country) => (
            <Flag key={country} country={country} />
          ))}
          {placeText('Tokyo', 'Japan')}
        </div>
      </Specimen>
      <Specimen label="Logo: Postern's, and a seller's own">
        <div className={g.row}>
          <Logo size={28} src={undefined} />
          <LogoAndName size={28} src="/favicon.svg" isWordmark={false} name="Example" />
        </div>
      </Specimen>
      <Specimen label="Copied, Secret, CopyButton">
        <div>
          <Copied text="198.18.0.1:8000" label="Copy the address" />
        </div>
        <div>
          <Secret text="battery7staple" labels={{ show: 'Show', hide: 'Hide', copy: 'Copy the password' }} />
        </div>
        <div>
          <CopyButton text="anything" label="Copy" />
        </div>
      </Specimen>
      <Specimen label="CodeBlock: several lines, and one">
        <CodeBlock text={COMMAND} label="Command" copyLabel="Copy the command" />
        <CodeBlock text="https://shop.example.com/sign-up?Invite=QWERTY1234" label="Link" copyLabel="Copy the link" />
      </Specimen>
      <Specimen label="QrCode">
        <div>
          <QrCode text="https://shop.example.com" label="The shop's address" />
        </div>
      </Specimen>
    </>
  );
}
