import { afterEach, expect, test } from 'vitest'
import { loadAllTexts, showLanguage } from '../../i18n/language.ts'
import { keyLabel, keysLabel } from './key-label.ts'

afterEach(() => showLanguage('en'))

test('keys are labelled as on the keyboards of the language', async () => {
  await loadAllTexts()
  const labels = () => ['Mod+Shift+X', 'Shift+PageUp', 'End', 'Backspace', 'Escape', 'R'].map(keysLabel)
  expect(labels()).toEqual(['Ctrl+Shift+X', 'Shift+Page Up', 'End', 'Backspace', 'Esc', 'R'])
  await showLanguage('de')
  expect(labels()).toEqual(['Strg+Umschalt+X', 'Umschalt+Bild auf', 'Ende', 'Rücktaste', 'Esc', 'R'])
  await showLanguage('fr')
  expect(labels()).toEqual(['Ctrl+Maj+X', 'Maj+Page préc.', 'Fin', 'Retour arrière', 'Échap', 'R'])
  await showLanguage('es')
  expect(labels()).toEqual(['Ctrl+Mayús+X', 'Mayús+Re Pág', 'Fin', 'Retroceso', 'Esc', 'R'])
})

test('arrows are signs, letters are capitals, and a label stays as it is', () => {
  expect(['ArrowUp', 'ArrowDown', 'q', 'F6', '/'].map(keyLabel)).toEqual(['↑', '↓', 'Q', 'F6', '/'])
  expect(keysLabel(keysLabel('Mod+Shift+Escape'))).toBe('Ctrl+Shift+Esc')
})
