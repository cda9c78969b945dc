import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tries } from '#contract/test/properties'
import { type Change, SharedStorage } from '../../../test/shared-storage.ts'
import { Drafts } from './drafts.ts'

// Tabs of one user write in the same conversation and share one storage. Each tab receives the others' changes in order.

interface Tab {
  drafts: Drafts
  own: Map<string, string>
  /** Events that it has not received yet. */
  queue: Change[]
  receive: (change: Change) => void
}

const CONVERSATION = 'a channel'
const ignore = () => {}
let tabs: Tab[]
let acting: Tab
let storage: SharedStorage

beforeAll(() => {
  vi.useFakeTimers()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => acting.own.get(key) ?? null,
    setItem: (key: string, value: string) => void acting.own.set(key, value),
    removeItem: (key: string) => void acting.own.delete(key),
  })
  vi.stubGlobal('addEventListener', (name: string, listener: (change: Change) => void) => {
    if (name === 'storage') acting.receive = listener
  })
  vi.stubGlobal('removeEventListener', (_: string, listener: (change: Change) => void) => {
    if (acting.receive === listener) acting.receive = ignore
  })
  SharedStorage.report = (change) => {
    for (const tab of tabs) if (tab !== acting) tab.queue.push(change)
  }
  const drafts = new Drafts(undefined, ignore)
  tabs = Array.from({ length: 3 }, () => ({ drafts, own: new Map(), queue: [], receive: ignore }))
})
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function inTab<T>(tab: Tab, act: (drafts: Drafts) => T): T {
  acting = tab
  return act(tab.drafts)
}

const textIn = (tab: Tab) => inTab(tab, (drafts) => drafts.get(CONVERSATION).text)

function openIn(tab: Tab, user = 'ada') {
  acting = tab
  tab.drafts = new Drafts(user, ignore)
}

/** Opens all tabs on an empty storage. */
function begin() {
  storage = new SharedStorage()
  vi.stubGlobal('localStorage', storage)
  for (const tab of tabs) {
    tab.own.clear()
    inTab(tab, (drafts) => drafts.destroy())
    openIn(tab)
    tab.queue = []
  }
}

function deliver() {
  while (tabs.some(({ queue }) => queue.length > 0))
    for (const tab of tabs) {
      const change = tab.queue.shift()
      if (change) inTab(tab, () => tab.receive(change))
    }
}

/** Every text that is stored or on screen. */
const allTexts = () => [
  ...tabs.map(textIn),
  ...inTab(tabs[0] as Tab, (drafts) => drafts.all().map(({ draft }) => draft.text)),
]

const steps = {
  type: (tab: Tab, text: string) =>
    inTab(tab, (drafts) => drafts.set(CONVERSATION, { text: drafts.get(CONVERSATION).text + text })),
  replace: (tab: Tab, text: string) => inTab(tab, (drafts) => drafts.set(CONVERSATION, { text })),
  empty: (tab: Tab) => inTab(tab, (drafts) => drafts.set(CONVERSATION, { text: '' })),
  send: (tab: Tab) => inTab(tab, (drafts) => drafts.end(CONVERSATION)),
  reload: (tab: Tab) => {
    inTab(tab, (drafts) => drafts.close())
    openIn(tab)
  },
  wait: () => {
    for (const tab of tabs) inTab(tab, (drafts) => drafts.save())
    vi.advanceTimersByTime(6000)
  },
}
type Step = [keyof typeof steps, number]

test('text typed in a tab stays until the user sends, changes or clears it; no other tab removes it', () => {
  const step = fc.tuple(fc.constantFrom(...(Object.keys(steps) as Step[0][])), fc.nat(2))
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (history: Step[]) => {
      begin()
      /** The text typed in each tab that was not sent, cleared or continued elsewhere. */
      const typed = new Map<Tab, string>()
      history.forEach(([what, nth], count) => {
        const tab = tabs[nth] as Tab
        const before = new Map(tabs.map((each) => [each, textIn(each)]))
        steps[what](tab, `${count} `)
        deliver()
        // Text sent from one tab is cleared in all that showed it.
        if (what === 'send')
          for (const each of tabs) if (before.get(each) === before.get(tab)) expect(textIn(each)).toBe('')
        const sent = what === 'send' ? before.get(tab)?.trim() : undefined
        if (what === 'type' || what === 'replace') typed.set(tab, textIn(tab))
        if (what === 'empty' || what === 'send') typed.delete(tab)
        // Text not typed in this tab may have changed by then.
        if (what === 'reload' && typed.has(tab)) expect(textIn(tab)).toBe(before.get(tab))
        for (const [other, text] of typed) {
          if (sent?.includes(text.trim())) typed.delete(other)
          else expect(textIn(other)).toContain(text)
          // If another tab continued it without losing anything, it belongs to that tab now.
          if (textIn(other) !== text) typed.delete(other)
        }
      })
      // All of it survives closing the tabs.
      steps.wait()
      deliver()
      for (const text of typed.values()) expect(allTexts().some((found) => found.includes(text))).toBe(true)
      for (const tab of tabs) inTab(tab, (drafts) => drafts.close())
      const stored = Object.values(storage).join()
      for (const text of typed.values()) expect(stored).toContain(text)
    }),
    tries(300),
  )
})

test('text continued in another tab is shown in all tabs, and sending it clears it everywhere', () => {
  begin()
  const [first, second] = tabs as [Tab, Tab]
  steps.replace(first, 'half a ')
  steps.wait()
  deliver()
  expect(textIn(second)).toBe('half a ')
  steps.type(second, 'thought')
  steps.wait()
  deliver()
  expect(textIn(first)).toBe('half a thought')
  steps.send(second)
  deliver()
  expect(tabs.map(textIn)).toEqual(['', '', ''])
  expect(Object.keys(storage).filter((key) => key.startsWith('parley.draft.'))).toEqual([])
})

test('sending removes only the text that was sent', () => {
  begin()
  const [first, second] = tabs as [Tab, Tab]
  steps.replace(first, 'yes')
  steps.wait()
  deliver()
  steps.replace(second, 'a much longer text')
  steps.wait()
  deliver()
  steps.send(first)
  deliver()
  expect(textIn(first)).toBe('')
  expect(textIn(second)).toBe('a much longer text')
  expect(Object.values(storage).join()).toContain('a much longer text')
})

test('a tab that saves before it receives a conflicting change keeps using the shared entry', () => {
  begin()
  const [first, second] = tabs as [Tab, Tab]
  steps.replace(first, 'half a thought')
  steps.wait()
  deliver()
  steps.empty(second)
  steps.replace(first, 'mine')
  steps.wait()
  deliver()
  expect(textIn(first)).toBe('mine')
  steps.replace(first, 'last of all')
  steps.wait()
  deliver()
  expect(tabs.map(textIn)).toEqual(['last of all', 'last of all', 'last of all'])
  expect(allTexts()).not.toContain('mine')
})

test('text continued before the tab learns that its beginning was sent is stored once', () => {
  begin()
  const [first, second] = tabs as [Tab, Tab]
  steps.replace(first, 'half a ')
  steps.wait()
  deliver()
  steps.send(first)
  steps.type(second, 'thought')
  steps.wait()
  deliver()
  expect(textIn(second)).toBe('half a thought')
  expect(Object.keys(storage).filter((key) => key.startsWith('parley.draft.'))).toHaveLength(1)
})

const written = (tab: Tab) => inTab(tab, (drafts) => drafts.all())
const textsOf = (tab: Tab) =>
  written(tab)
    .map(({ draft }) => draft.text)
    .sort()

function discardIn(tab: Tab, text: string) {
  const entry = written(tab).find(({ draft }) => draft.text === text)
  if (!entry) throw new Error('It is not listed')
  return inTab(tab, (drafts) => drafts.discard(entry.key))
}

test.each([
  ['the one that all tabs show', 'mine'],
  ['a second one', 'yours'],
])('a draft discarded in the list, %s, disappears from all tabs, and undo lists it once', (_, text) => {
  begin()
  const [first, second, third] = tabs as [Tab, Tab, Tab]
  steps.replace(first, 'mine')
  steps.wait()
  deliver()
  steps.replace(second, 'yours')
  steps.wait()
  deliver()
  const undo = discardIn(third, text)
  deliver()
  expect(allTexts().filter((found) => found === text)).toEqual([])
  expect(written(third)).toHaveLength(1)
  inTab(third, undo)
  steps.wait()
  deliver()
  for (const tab of tabs) expect(textsOf(tab)).toEqual(['mine', 'yours'])
})

test('undo does not list a text twice that another tab has just continued', () => {
  begin()
  const [first, , third] = tabs as [Tab, Tab, Tab]
  steps.replace(first, 'half a ')
  inTab(first, (drafts) => drafts.save())
  deliver()
  const undo = discardIn(third, 'half a ')
  steps.type(first, 'thought')
  deliver()
  inTab(third, undo)
  steps.wait()
  deliver()
  expect(textIn(first)).toBe('half a thought')
  expect(textsOf(third)).toEqual(['half a thought'])
})

test('undo lists a text again beside another that starts with the same words', () => {
  begin()
  const [first, second, third] = tabs as [Tab, Tab, Tab]
  steps.replace(first, 'yes')
  steps.replace(second, 'yes, but not before Friday')
  for (const tab of [first, second]) inTab(tab, (drafts) => drafts.save())
  deliver()
  expect(textsOf(third)).toEqual(['yes', 'yes, but not before Friday'])
  const undo = discardIn(third, 'yes')
  deliver()
  expect(textsOf(third)).toEqual(['yes, but not before Friday'])
  inTab(third, undo)
  deliver()
  expect(textsOf(third)).toEqual(['yes', 'yes, but not before Friday'])
})

test('a text that another tab has continued is not discarded', () => {
  begin()
  const [first, , third] = tabs as [Tab, Tab, Tab]
  steps.replace(first, 'half a ')
  steps.wait()
  deliver()
  const [entry] = written(third)
  steps.type(first, 'thought')
  inTab(third, (drafts) => drafts.discard(entry?.key ?? ''))
  steps.wait()
  deliver()
  expect(textIn(first)).toBe('half a thought')
  expect(textsOf(third)).toEqual(['half a thought'])
})

test('undo does not restore a draft for another user who has signed in since', () => {
  begin()
  const [tab] = tabs as [Tab]
  steps.replace(tab, 'half a thought')
  const undo = discardIn(tab, 'half a thought')
  inTab(tab, (drafts) => drafts.close())
  openIn(tab, 'eve')
  inTab(tab, undo)
  steps.wait()
  expect(allTexts()).not.toContain('half a thought')
  expect(Object.values(storage).join()).not.toContain('half a thought')
})
