import { type RefObject, useEffect } from 'react'

/**
 * Roving tabindex for the rows (`li`) of a list: Tab stops at one row and the buttons in it; arrows, Home and End move
 * between rows. The stop is the row focused last, else the one of the open page, else the first.
 */
export function useRoving(list: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = list.current
    if (!element) return
    let last: HTMLElement | null = null
    // Not the lists within a row, such as those of a message.
    const rowsOf = () => [...element.querySelectorAll<HTMLElement>('li:not(li li)')]
    const rowOf = (target: EventTarget | null) => rowsOf().find((row) => row.contains(target as Node)) ?? null

    const mark = () => {
      const rows = rowsOf()
      const open = rows.find((row) => row.querySelector('[aria-current=page]'))
      const stop = rows.find((row) => row === last) ?? open ?? rows[0]
      for (const row of rows) {
        for (const control of row.querySelectorAll('a, button')) {
          const isOut = row !== stop
          if (isOut !== (control.getAttribute('tabindex') === '-1')) {
            if (isOut) control.setAttribute('tabindex', '-1')
            else control.removeAttribute('tabindex')
          }
        }
      }
    }
    const onFocus = ({ target }: FocusEvent) => {
      last = rowOf(target)
      mark()
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event
      if (ctrlKey || metaKey || altKey || shiftKey || !(target instanceof Element)) return
      if (target.matches('textarea, input')) return
      const rows = rowsOf()
      const at = rows.findIndex((row) => row.contains(target))
      if (at < 0) return
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key]
      const link = to === undefined ? undefined : rows[to]?.querySelector<HTMLElement>('a, button')
      if (!link) return
      event.preventDefault()
      link.focus()
    }
    const changes = new MutationObserver((records) => {
      // Another page was opened: the next Tab into the list stops there.
      const hasOpenChanged = records.some(({ type }) => type === 'attributes')
      if (hasOpenChanged && !element.contains(document.activeElement)) last = null
      mark()
    })
    mark()
    changes.observe(element, { subtree: true, childList: true, attributeFilter: ['aria-current'] })
    element.addEventListener('focusin', onFocus)
    element.addEventListener('keydown', onKeyDown)
    return () => {
      changes.disconnect()
      element.removeEventListener('focusin', onFocus)
      element.removeEventListener('keydown', onKeyDown)
    }
  }, [list])
}
