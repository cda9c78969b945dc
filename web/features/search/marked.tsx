/** A text in which some parts stand out, as text and never as markup. */
export function Marked({ text, parts }: { text: string; parts: readonly (readonly [from: number, to: number])[] }) {
  let at = 0
  const pieces = parts.flatMap(([from, to]) => {
    const piece = [text.slice(at, from), <Mark key={from} text={text.slice(from, to)} />]
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

export const Mark = ({ text }: { text: string }) => (
  <mark className="rounded-[3px] bg-ember/22 px-px font-[600] text-inherit">{text}</mark>
)
