// What screens are framed with.
import { Breadcrumbs, BreadcrumbsContext } from '@/ui/Breadcrumbs';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Card, Page, Stat } from '@/ui/Page';
import { Section, Sections } from '@/ui/Section';
import { Badge } from '@/ui/State';
import { ThemeSwitch } from '@/ui/ThemeSwitch';
import g from './gallery.module.css';
import { Specimen } from './Part';

const BREADCRUMBS = [
  { label: 'Billing', to: '/billing/products' },
  { label: 'Orders', to: '/order' },
];

export function Frames() {
  return (
    <>
      <Specimen label="Page: where it is, title, state, description, actions" wide>
        <div className={g.box}>
          <BreadcrumbsContext.Provider value={BREADCRUMBS}>
            <Page
              title="Components"
              heading="3 Regular IPs"
              badge={<Badge tone="good">Delivered</Badge>}
              description="What this screen is about"
              actions={<Button variant="primary">Do something</Button>}
              opened="PO1"
            >
              <Card title="Card" aside={<Button size="small">Aside</Button>}>
                What is in it.
              </Card>
            </Page>
          </BreadcrumbsContext.Provider>
        </div>
      </Specimen>
      <Specimen label="Breadcrumbs: a screen, what is open on it, before its name is known">
        {[undefined, 'PO1', null].map((opened) => (
          <BreadcrumbsContext.Provider key={String(opened)} value={BREADCRUMBS}>
            <Breadcrumbs opened={opened} />
          </BreadcrumbsContext.Provider>
        ))}
      </Specimen>
      <Specimen label="Card without a title, and Stat">
        <Card>
          <div className={g.row}>
            <Stat label="Proxies">1,234</Stat>
            <Stat label="Ending soon">9</Stat>
          </div>
        </Card>
      </Specimen>
      <Specimen label="ThemeSwitch">
        <div>
          <ThemeSwitch />
        </div>
      </Specimen>
      <Specimen label="Sections: a settings screen, with a danger" wide>
        <Sections>
          <Section title="Name" lead="How you are called." footer={<Button variant="primary">Save</Button>}>
            <TextField label="Name" defaultValue="Ann" />
          </Section>
          <Section danger title="Close the account" lead="This cannot be undone.">
            <div>
              <Button variant="danger">Close</Button>
            </div>
          </Section>
          <Section wide title="List" lead="Takes the whole width.">
            <Card>A frame of its own.</Card>
          </Section>
        </Sections>
      </Specimen>
    </>
  );
}
