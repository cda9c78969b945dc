/**
 * Adds ARIA roles to emoji-mart's picker, which renders its tabs, lists and menu as plain buttons. Returns a
 * function that stops observing it.
 */
export function addRoles(root: ShadowRoot) {
  const observer = new MutationObserver(() => {
    for (const [parts, role] of roles)
      for (const part of root.querySelectorAll(`${parts}:not([role])`)) part.setAttribute('role', role)
    for (const list of root.querySelectorAll('[role=listbox]:not([aria-label])'))
      list.setAttribute('aria-label', list.previousElementSibling?.textContent ?? '')
    const skins = root.querySelector('.skin-tone-button')
    skins?.removeAttribute('aria-selected')
    skins?.setAttribute('aria-expanded', String(root.querySelector('[data-menu]') !== null))
  })
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['data-menu'] })
  return () => observer.disconnect()
}

const roles = [
  ['#nav > div', 'tablist'],
  ['#nav button', 'tab'],
  ['.category > .sticky + div', 'listbox'],
  ['.category button', 'option'],
] as const
