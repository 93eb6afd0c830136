// Placeholders: loading, empty and error states.
import { Button } from '@/ui/Button';
import { GridPlaceholder, LoadingRows } from '@/ui/gridFrame';
import { LoadingState, ScreenLoading, Skeleton } from '@/ui/Loading';
import { Meter } from '@/ui/Meter';
import { Progress } from '@/ui/Progress';
import { EmptyState, ErrorState } from '@/ui/State';
import g from './gallery.module.css';
import { Specimen } from './Part';

const nothing = () => {};

export function Waiting() {
  return (
    <>
      <Specimen label="Skeleton">
        <Skeleton width={120} />
        <Skeleton height={48} />
      </Specimen>
      <Specimen label="LoadingState">
        <LoadingState rows={4} />
      </Specimen>
      <Specimen label="Progress: indeterminate, and a known part">
        <Progress label="Working on 12 proxies…" />
        <Progress label="4,000 of about 12,000 done" part={1 / 3} />
      </Specimen>
      <Specimen label="Meter: unused, in use, used up">
        <Meter used={0} of={50} label="0 of 50 GB used" />
        <Meter used={12} of={50} label="12 of 50 GB used" />
        <Meter used={50} of={50} label="50 of 50 GB used" />
      </Specimen>
      <Specimen label="EmptyState">
        <div className={g.box}>
          <EmptyState title="Nothing here yet" action={<Button variant="primary">Add the first</Button>}>
            What would be here, and how it gets here.
          </EmptyState>
        </div>
      </Specimen>
      <Specimen label="ErrorState">
        <div className={g.box}>
          <ErrorState onRetry={nothing} />
        </div>
      </Specimen>
      <Specimen label="ErrorState, offline">
        <div className={g.box}>
          <ErrorState isOffline onRetry={nothing} />
        </div>
      </Specimen>
      <Specimen label="LoadingRows: in the place of a list's rows">
        <LoadingRows />
      </Specimen>
      <Specimen label="GridPlaceholder: in the place of a grid">
        <GridPlaceholder isTall={false} isCompact={false} />
      </Specimen>
      <Specimen label="ScreenLoading: in the place of a screen" wide>
        <div className={g.box}>
          <ScreenLoading />
        </div>
      </Specimen>
    </>
  );
}
