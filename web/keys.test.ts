import { describe, expect, test } from 'vitest'
import { pressedIn, shortcuts, writtenKey, writtenKeys } from './keys.ts'

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, code: '' }

describe('what is pressed is named as the table names it', () => {
  test.each([
    [{ ctrlKey: true, key: 'k' }, 'search'],
    [{ ctrlKey: true, key: 'K' }, 'search'],
    // Of another script the key in the same place.
    [{ ctrlKey: true, key: 'л', code: 'KeyK' }, 'search'],
    [{ ctrlKey: true, shiftKey: true, key: 'F' }, 'searchHere'],
    [{ ctrlKey: true, shiftKey: true, key: 'T' }, 'threads'],
    [{ ctrlKey: true, key: '.' }, 'panel'],
    [{ ctrlKey: true, key: '/' }, 'sheet'],
    // Where the slash stands above the seven.
    [{ ctrlKey: true, shiftKey: true, key: '/' }, 'sheet'],
    [{ key: 'F6' }, 'nextRegion'],
    [{ shiftKey: true, key: 'F6' }, 'previousRegion'],
    [{ shiftKey: true, key: 'Escape' }, 'readAll'],
    [{ altKey: true, shiftKey: true, key: 'ArrowUp' }, 'previousUnread'],
  ] as const)('%o', (event, name) => {
    expect(pressedIn({ ...none, ...event })).toBe(shortcuts[name].keys.join())
  })

  test('a bare letter, or another key held with it, is none', () => {
    const all = Object.values(shortcuts).map(({ keys }) => keys.join())
    for (const event of [
      { key: 'k' },
      { key: '/' },
      { metaKey: true, key: 'k' },
      { ctrlKey: true, altKey: true, key: 'k' },
    ])
      expect(all).not.toContain(pressedIn({ ...none, ...event }))
  })
})

test('no two shortcuts have the same keys, and each is written for people', () => {
  const written = (Object.keys(shortcuts) as (keyof typeof shortcuts)[]).map(writtenKeys)
  expect(new Set(written).size).toBe(written.length)
  expect(written).toContain('Ctrl+Shift+F')
  expect(written).toContain('Shift+Esc')
  expect(['ArrowUp', 'PageUp', 'q'].map(writtenKey)).toEqual(['↑', 'Page Up', 'Q'])
})
