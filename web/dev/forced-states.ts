const STATES: readonly [pseudo: RegExp, state: string][] = [
  [/:hover/g, 'hover'],
  [/:focus-visible|:focus-within/g, 'focus'],
  [/:active/g, 'active'],
]

/** Extends every rule for `:hover` and similar states to `[data-state=hover]`, so that a state can be displayed. */
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
  // Rules are nested in layers, media queries and other rules.
  if ('cssRules' in rule) for (const inner of rule.cssRules as CSSRuleList) allowIn(inner)
}
