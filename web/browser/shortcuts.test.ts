import { describe, expect, test } from 'vitest'
import { keyLabel, pressedKeys, shortcutLabel, shortcutOf, shortcuts } from './shortcuts.ts'

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, code: '' }

describe('what is pressed is named as the table names it', () => {
  test.each([
    [{ ctrlKey: true, key: 'k' }, 'search'],
    [{ ctrlKey: true, key: 'K' }, 'search'],
    // Of another script the key in the same place.
    [{ ctrlKey: true, key: 'л', code: 'KeyK' }, 'search'],
    [{ ctrlKey: true, shiftKey: true, key: 'F' }, 'searchHere'],
    [{ ctrlKey: true, shiftKey: true, key: 'T' }, 'threads'],
    // What Chrome and Edge leave to the page.
    [{ ctrlKey: true, shiftKey: true, key: 'H' }, 'threads'],
    [{ ctrlKey: true, key: '.' }, 'panel'],
    [{ ctrlKey: true, key: '/' }, 'sheet'],
    // Where the slash stands above the seven.
    [{ ctrlKey: true, shiftKey: true, key: '/' }, 'sheet'],
    [{ key: 'F6' }, 'nextRegion'],
    [{ shiftKey: true, key: 'F6' }, 'previousRegion'],
    [{ shiftKey: true, key: 'Escape' }, 'readAll'],
    [{ altKey: true, shiftKey: true, key: 'ArrowUp' }, 'previousUnread'],
  ] as const)('%o', (event, name) => {
    expect(shortcutOf(pressedKeys({ ...none, ...event }))).toBe(name)
  })

  test('a bare letter, or another key held with it, is none', () => {
    for (const event of [
      { key: 'k' },
      { key: '/' },
      { metaKey: true, key: 'k' },
      { ctrlKey: true, altKey: true, key: 'k' },
    ])
      expect(shortcutOf(pressedKeys({ ...none, ...event }))).toBeUndefined()
  })
})

test('no two shortcuts have the same keys, and each is written for people', () => {
  const written = (Object.keys(shortcuts) as (keyof typeof shortcuts)[]).map(shortcutLabel)
  expect(new Set(written).size).toBe(written.length)
  expect(written).toContain('Ctrl+Shift+F')
  expect(written).toContain('Shift+Esc')
  expect(['ArrowUp', 'PageUp', 'q'].map(keyLabel)).toEqual(['↑', 'Page Up', 'Q'])
})

test('no shortcut has only keys that a browser takes before the page', () => {
  const taken = ['n', 't', 'w'].flatMap((key) => [`Mod,${key}`, `Mod,Shift,${key}`])
  expect(Object.values(shortcuts).filter(({ keys }) => taken.includes(keys.join()))).toEqual([])
})
