// A country's flag.
import s from './ui.module.css';

export function Flag({ country }: { country: string }) {
  return <img src={`/flags/${country}.svg`} alt="" className={s.flag} loading="lazy" width={20} height={14} />;
}
