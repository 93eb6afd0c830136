// Changes of prices as forms: what each is about, and the value that it changes.
import type { PlannedPrice, PriceForm, Prices } from '@/api/prices';
import { PriceAction } from '@/core/constants.gen';
import type { LimitsOfConnections } from '@/ui/useLimitTexts';

/** What a change is about. */
export type Subject = 'tier' | 'sale' | 'limit' | 'period' | 'step' | 'traffic';

const SUBJECTS: Record<PriceAction, Subject> = {
  set_tier: 'tier',
  sell_tier: 'sale',
  pause_tier: 'sale',
  limit_tier: 'limit',
  set_period: 'period',
  remove_period: 'period',
  set_step: 'step',
  remove_step: 'step',
  set_traffic: 'traffic',
  remove_traffic: 'traffic',
};
export const subjectOf = ({ Action }: Pick<PriceForm, 'Action'>): Subject => SUBJECTS[Action];

const REMOVALS: readonly PriceAction[] = [PriceAction.RemovePeriod, PriceAction.RemoveStep, PriceAction.RemoveTraffic];
export const isRemoval = ({ Action }: Pick<PriceForm, 'Action'>) => REMOVALS.includes(Action);

export type Field = Exclude<keyof PriceForm, 'Action'>;

const EMPTY: Record<Field, string> = {
  VerStr: '',
  Period: '',
  FromGb: '',
  Price: '',
  Days: '',
  Discount: '',
  Min: '',
  MaxConnections: '',
  MaxMegabits: '',
};

export const priceForm = (Action: PriceAction, typed: Partial<Record<Field, string>> = {}): PriceForm => ({
  Action,
  ...EMPTY,
  ...typed,
});

/** The fields that say which price a change is about, and those of its new value; whether a plan is sold has none. */
export const FIELDS: Record<Subject, { which: readonly Field[]; values: readonly Field[] }> = {
  tier: { which: ['VerStr'], values: ['Price'] },
  sale: { which: ['VerStr'], values: [] },
  limit: { which: ['VerStr'], values: ['MaxConnections', 'MaxMegabits'] },
  period: { which: ['Days'], values: ['Discount'] },
  step: { which: ['Min'], values: ['Discount'] },
  traffic: { which: ['Period', 'FromGb'], values: ['Price'] },
};

/** A price, a discount in hundredths of a percent, whether a plan is sold, or what one IP may carry. */
export type Value =
  | { amount: string }
  | { basisPoints: number }
  | { isSold: boolean }
  | { limits: LimitsOfConnections };

/** What the shop charges for the subject of a change; undefined if it does not offer it. */
export function valueIn({ Catalogue, Traffic }: Prices, form: PriceForm): Value | undefined {
  const isNumber = (number: number, typed: string) => typed.trim() !== '' && number === Number(typed);
  const discount = (found: { DiscountBasisPoints: number } | undefined) =>
    found && { basisPoints: found.DiscountBasisPoints };
  const price = (found: { Price: string } | undefined) => found && { amount: found.Price };
  const tier = () => Catalogue.Tiers.find(({ VerStr }) => VerStr === form.VerStr);
  switch (subjectOf(form)) {
    case 'tier':
      return price(tier());
    case 'sale': {
      const found = tier();
      return found && { isSold: found.IsSold };
    }
    case 'limit': {
      const found = tier();
      return found && { limits: found };
    }
    case 'period':
      return discount(Catalogue.Periods.find(({ PeriodDays }) => isNumber(PeriodDays, form.Days)));
    case 'step':
      return discount(Catalogue.QuantitySteps.find(({ MinQuantity }) => isNumber(MinQuantity, form.Min)));
    case 'traffic': {
      const offer = Traffic.Offers.find(({ PeriodDays }) => isNumber(PeriodDays, form.Period));
      return price(offer?.Steps.find(({ MinGigabytes }) => isNumber(MinGigabytes, form.FromGb)));
    }
  }
}

const whichOf = (form: PriceForm) => {
  const subject = subjectOf(form);
  return [subject, ...FIELDS[subject].which.map((field) => (field === 'VerStr' ? form[field] : Number(form[field])))];
};

/** The planned change of the same subject that comes before this one. */
export function changeBefore(planned: readonly PlannedPrice[], index: number): PriceForm | undefined {
  const which = String(whichOf(formOf(planned[index])));
  const before = planned.slice(0, index).filter((one) => one.IsPossible && String(whichOf(formOf(one))) === which);
  return before.length > 0 ? formOf(before.at(-1)) : undefined;
}

/** The form of a planned change, with all its fields. */
export const formOf = (planned: PlannedPrice | undefined): PriceForm => ({
  ...priceForm(PriceAction.SetTier),
  ...planned?.Form,
});

/** The change that sells a tier, or pauses it if it is sold. */
export const saleForm = ({ VerStr, IsSold }: Prices['Catalogue']['Tiers'][number]): PriceForm =>
  priceForm(IsSold ? PriceAction.PauseTier : PriceAction.SellTier, { VerStr });

/** The change of what one IP of a tier may carry, with what it may carry today. */
export const limitForm = ({ VerStr, MaxConnections, MaxMegabits }: Prices['Catalogue']['Tiers'][number]): PriceForm =>
  priceForm(PriceAction.LimitTier, {
    VerStr,
    MaxConnections: String(MaxConnections ?? ''),
    MaxMegabits: String(MaxMegabits ?? ''),
  });

/** Whether a tier is sold after this change of its sale. */
export const isSoldAfter = ({ Action }: Pick<PriceForm, 'Action'>) => Action === PriceAction.SellTier;

/** Whether customers can order nothing at all. */
export const sellsNothing = ({ Catalogue, Traffic }: Prices) =>
  Traffic.Offers.length === 0 && Catalogue.Tiers.every(({ IsSold }) => !IsSold);
