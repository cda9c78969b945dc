const STATES: readonly [pseudo: RegExp, state: string][] = [
  [/:hover/g, 'hover'],
  [/:focus-visible|:focus-within/g, 'focus'],
  [/:active/g, 'active'],
]

/** Has every rule for `:hover` and the like hold for `[data-state=hover]` too, so that a state can be looked at. */
export function allowForcedStates() {
  for (const sheet of document.styleSheets) for (const rule of sheet.cssRules) allowIn(rule)
}

function allowIn(rule: CSSRule) {
  if (rule instanceof CSSStyleRule) {
    for (const [pseudo, state] of STATES) {
      if (!rule.selectorText.includes('data-state') && pseudo.test(rule.selectorText))
        rule.selectorText += `, ${rule.selectorText.replace(pseudo, `[data-state=${state}]`)}`
      pseudo.lastIndex = 0
    }
  }
  // A name of its own per kind of group would be needed to go further: rules nest a few levels at most.
  if ('cssRules' in rule) for (const inner of rule.cssRules as CSSRuleList) allowIn(inner)
}
