import { Marked } from './marked.tsx'

/** A text with the words of the query highlighted. */
export function Highlighted({ text, sought }: { text: string; sought: string }) {
  const words = sought
    .replace(/^[#@]/, '')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const found = words.length > 0 ? text.matchAll(new RegExp(words.join('|'), 'giu')) : []
  const parts = [...found].map(({ index, 0: part }) => [index, index + part.length] as const)
  return <Marked text={text} parts={parts} />
}
