/** A text with some ranges highlighted. It is rendered as text, never as markup. */
export function Marked({ text, parts }: { text: string; parts: readonly (readonly [from: number, to: number])[] }) {
  let at = 0
  const pieces = parts.flatMap(([from, to]) => {
    const piece = [text.slice(at, from), mark(from, text.slice(from, to))]
    at = to
    return piece
  })
  return (
    <>
      {pieces}
      {text.slice(at)}
    </>
  )
}

const mark = (key: number, text: string) => (
  <mark
    key={key}
    className="rounded-[3px] bg-ember/22 px-px font-[600] text-ink pointer-fine:in-[.bg-selected]:bg-transparent pointer-fine:in-[.bg-selected]:underline"
  >
    {text}
  </mark>
)
