// The shop's logo, as in public/favicon.svg: inline, so that it costs no request.
export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#2457d6" />
      <path d="M9 25V13a7 7 0 0 1 14 0v12" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
      <circle cx="16" cy="18" r="2.4" fill="#fff" />
    </svg>
  );
}
