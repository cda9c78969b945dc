/** A text in which what was sought stands out, as text and never as markup. */
export function Highlighted({ text, sought }: { text: string; sought: string }) {
  const words = sought
    .replace(/^[#@]/, '')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  if (words.length === 0) return text
  const parts = text.split(new RegExp(`(${words.join('|')})`, 'iu'))
  return parts.map((part, index) =>
    // What the expression caught stands at the odd places.
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
      <mark key={index} className="rounded-[3px] bg-ember/22 px-px font-[600] text-inherit">
        {part}
      </mark>
    ) : (
      part
    ),
  )
}
