import { describe, expect, test } from 'vitest'
import { pressedKeys, shortcutLabel, shortcutOf, shortcuts } from './shortcuts.ts'

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, code: '' }

describe('pressed keys match the table of shortcuts', () => {
  test.each([
    [{ ctrlKey: true, key: 'k' }, 'search'],
    [{ ctrlKey: true, key: 'K' }, 'search'],
    // The key at the same position on a keyboard of another script.
    [{ ctrlKey: true, key: 'л', code: 'KeyK' }, 'search'],
    [{ ctrlKey: true, shiftKey: true, key: 'F' }, 'searchHere'],
    [{ ctrlKey: true, shiftKey: true, key: 'T' }, 'threads'],
    // Chrome and Edge reserve the other one.
    [{ ctrlKey: true, shiftKey: true, key: 'H' }, 'threads'],
    [{ ctrlKey: true, key: '.' }, 'panel'],
    [{ ctrlKey: true, key: '/' }, 'sheet'],
    // On keyboards that type the slash as Shift+7.
    [{ ctrlKey: true, shiftKey: true, key: '/' }, 'sheet'],
    [{ key: 'F6' }, 'nextRegion'],
    [{ shiftKey: true, key: 'F6' }, 'previousRegion'],
    [{ shiftKey: true, key: 'Escape' }, 'readAll'],
    [{ altKey: true, shiftKey: true, key: 'ArrowUp' }, 'previousUnread'],
  ] as const)('%o', (event, name) => {
    expect(shortcutOf(pressedKeys({ ...none, ...event }))).toBe(name)
  })

  test('single letters and additional modifiers match none', () => {
    for (const event of [
      { key: 'k' },
      { key: '/' },
      { metaKey: true, key: 'k' },
      { ctrlKey: true, altKey: true, key: 'k' },
    ])
      expect(shortcutOf(pressedKeys({ ...none, ...event }))).toBeUndefined()
  })
})

test('all shortcuts have different keys, and readable labels', () => {
  const written = (Object.keys(shortcuts) as (keyof typeof shortcuts)[]).map(shortcutLabel)
  expect(new Set(written).size).toBe(written.length)
  expect(written).toContain('Ctrl+Shift+F')
  expect(written).toContain('Shift+Esc')
})

test('no shortcut depends on keys that browsers reserve', () => {
  const reserved = ['n', 't', 'w'].flatMap((key) => [`Mod,${key}`, `Mod,Shift,${key}`])
  expect(Object.values(shortcuts).filter(({ keys }) => reserved.includes(keys.join()))).toEqual([])
})
