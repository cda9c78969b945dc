import { encode } from 'uqr'

/** Black on white in any theme: cameras expect that. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-40 flex-none rounded-s border border-line"
    >
      <rect width={size} height={size} fill="white" />
      <path
        d={data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')}
        fill="black"
      />
    </svg>
  )
}
