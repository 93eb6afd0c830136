// The shop's logo: the seller's, or Postern's, inlined from public/favicon.svg to save a request.
import s from './ui.module.css';

interface LogoProps {
  size: number;
  /** Postern's without one. */
  src: string | undefined;
  /** Of a logo with the shop's name in it. */
  alt?: string;
}

export function Logo({ size, src, alt = '' }: LogoProps) {
  if (src) return <img src={src} alt={alt} height={size} className={s.logo} />;
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--brand, #2457d6)" />
      <path d="M9 25V13a7 7 0 0 1 14 0v12" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
      <circle cx="16" cy="18" r="2.4" fill="#fff" />
    </svg>
  );
}

interface LogoAndNameProps {
  size: number;
  src: string | undefined;
  isWordmark: boolean;
  name: string;
}

/** The name is not written beside a logo that has it. */
export const LogoAndName = ({ size, src, isWordmark, name }: LogoAndNameProps) => (
  <>
    <Logo size={size} src={src} alt={isWordmark ? name : ''} />
    {!isWordmark && name}
  </>
);
