import type { KeyboardEvent } from 'react'

/** Keys that scroll far: rows that go out of view are taken away, and the focus must not go with them. */
const far = ['PageUp', 'PageDown', 'Home', 'End']

/** Arrow keys go from row to row, and from the list itself to the lowest row that is in view. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const { key, target, currentTarget, ctrlKey, metaKey, altKey, shiftKey } = event
  if (far.includes(key) && target instanceof HTMLElement && target.matches('article'))
    return target.closest('section')?.focus({ preventScroll: true })
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || ctrlKey || metaKey || altKey || shiftKey) return
  const rows = [...currentTarget.querySelectorAll('article')]
  const at = rows.indexOf(target as HTMLElement)
  const isList = target instanceof Element && target.matches('section')
  if (at < 0 && !(isList && key === 'ArrowUp')) return
  const next = isList ? rows.findLast(isInView) : rows[at + (key === 'ArrowUp' ? -1 : 1)]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function isInView(row: HTMLElement) {
  const list = row.closest('section')?.getBoundingClientRect()
  const { top, bottom } = row.getBoundingClientRect()
  return list !== undefined && top >= list.top && bottom <= list.bottom
}
