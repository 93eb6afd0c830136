// The shop's mark, as in public/favicon.svg: drawn with the text beside it, and asked for nowhere.
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#2457d6" />
      <path d="M9 25V13a7 7 0 0 1 14 0v12" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
      <circle cx="16" cy="18" r="2.4" fill="#fff" />
    </svg>
  );
}
