import type { KeyboardEvent } from 'react'

/** Keys that scroll far: rows out of view are removed, so the list gets the focus first. */
const far = ['PageUp', 'PageDown', 'Home', 'End']

/** Arrow keys move from row to row, and from the list itself to its lowest visible row. */
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
