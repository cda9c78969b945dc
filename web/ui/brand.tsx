/** Parley's logo: a speech bubble that is a P on its side. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <span
      className="grid flex-none place-items-center bg-pine text-on-pine"
      style={{ width: size, height: size, borderRadius: size * 0.29 }}
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        width={size * 0.62}
        height={size * 0.62}
        fill="none"
        stroke="currentColor"
        strokeWidth={2.6}
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M4 20V8a3 3 0 0 1 3-3h9a5 5 0 0 1 0 10H8.5L4 20Z" />
        <path d="M10 10h6" />
      </svg>
    </span>
  )
}
