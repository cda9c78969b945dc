import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tries } from '#contract/test/properties'

// Tabs of one person that write in the same box, over one storage; what one does, the others hear in order.

type Drafts = typeof import('./drafts.ts')
type Heard = Pick<StorageEvent, 'key' | 'newValue' | 'oldValue'>

/** What the tabs share. It tells of each change, as browsers do. */
class SharedStorage {
  [key: string]: unknown
  static tell: (heard: Heard) => void = () => {}
  getItem(key: string) {
    return (this[key] as string | undefined) ?? null
  }
  setItem(key: string, newValue: string) {
    const oldValue = this.getItem(key)
    this[key] = newValue
    if (newValue !== oldValue) SharedStorage.tell({ key, oldValue, newValue })
  }
  removeItem(key: string) {
    const oldValue = this.getItem(key)
    delete this[key]
    if (oldValue !== null) SharedStorage.tell({ key, oldValue, newValue: null })
  }
}

interface Tab {
  drafts: Drafts
  own: Map<string, string>
  /** What it has not heard yet. */
  news: Heard[]
  hear: (heard: Heard) => void
}

const CONVERSATION = 'box'
let tabs: Tab[]
let acting: Tab
let storage: SharedStorage

beforeAll(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => acting.own.get(key) ?? null,
    setItem: (key: string, value: string) => void acting.own.set(key, value),
    removeItem: (key: string) => void acting.own.delete(key),
  })
  vi.stubGlobal('addEventListener', (name: string, listener: (heard: Heard) => void) => {
    if (name === 'storage') acting.hear = listener
  })
  SharedStorage.tell = (heard) => {
    for (const tab of tabs) if (tab !== acting) tab.news.push(heard)
  }
  tabs = []
  for (let nth = 0; nth < 3; nth++) {
    vi.resetModules()
    tabs.push({ drafts: await import('./drafts.ts'), own: new Map(), news: [], hear: () => {} })
  }
})
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function inTab<T>(tab: Tab, act: (drafts: Drafts) => T): T {
  acting = tab
  return act(tab.drafts)
}

const textIn = (tab: Tab) => inTab(tab, (drafts) => drafts.getDraft(CONVERSATION).text)

/** Opens all tabs on an empty storage. */
function begin() {
  storage = new SharedStorage()
  vi.stubGlobal('localStorage', storage)
  for (const tab of tabs) {
    tab.own.clear()
    inTab(tab, (drafts) => drafts.dropDrafts())
    inTab(tab, (drafts) => drafts.openDrafts('ada'))
    tab.news = []
  }
}

function deliver() {
  while (tabs.some(({ news }) => news.length > 0))
    for (const tab of tabs) {
      const heard = tab.news.shift()
      if (heard) inTab(tab, () => tab.hear(heard))
    }
}

/** Every text that is kept or on screen somewhere. */
const found = () => [
  ...tabs.map(textIn),
  ...inTab(tabs[0] as Tab, (drafts) => drafts.allDrafts().map(({ draft }) => draft.text)),
]

const steps = {
  type: (tab: Tab, text: string) =>
    inTab(tab, (drafts) => drafts.setDraft(CONVERSATION, { text: drafts.getDraft(CONVERSATION).text + text })),
  replace: (tab: Tab, text: string) => inTab(tab, (drafts) => drafts.setDraft(CONVERSATION, { text })),
  empty: (tab: Tab) => inTab(tab, (drafts) => drafts.setDraft(CONVERSATION, { text: '' })),
  send: (tab: Tab) => inTab(tab, (drafts) => drafts.endDraft(CONVERSATION)),
  reload: (tab: Tab) => {
    inTab(tab, (drafts) => drafts.forgetDrafts())
    inTab(tab, (drafts) => drafts.openDrafts('ada'))
  },
  wait: () => {
    for (const tab of tabs) inTab(tab, (drafts) => drafts.saveDrafts())
    vi.advanceTimersByTime(6000)
  },
}
type Step = [keyof typeof steps, number]

test('what somebody typed in a tab stays until they send, change or empty it: no other tab takes it away', () => {
  const step = fc.tuple(fc.constantFrom(...(Object.keys(steps) as Step[0][])), fc.nat(2))
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (history: Step[]) => {
      begin()
      /** What somebody typed in each tab, and did not send, empty or go on from. */
      const typed = new Map<Tab, string>()
      history.forEach(([what, nth], count) => {
        const tab = tabs[nth] as Tab
        const before = new Map(tabs.map((it) => [it, textIn(it)]))
        steps[what](tab, `${count} `)
        deliver()
        // Sent from one tab it is a draft in none.
        if (what === 'send') for (const it of tabs) if (before.get(it) === before.get(tab)) expect(textIn(it)).toBe('')
        const sent = what === 'send' ? before.get(tab)?.trim() : undefined
        if (what === 'type' || what === 'replace') typed.set(tab, textIn(tab))
        if (what === 'empty' || what === 'send') typed.delete(tab)
        // What it only showed may be another text by then.
        if (what === 'reload' && typed.has(tab)) expect(textIn(tab)).toBe(before.get(tab))
        for (const [other, text] of typed) {
          if (sent?.includes(text.trim())) typed.delete(other)
          else expect(textIn(other)).toContain(text)
          // Gone on in another tab, with nothing of it lost, it is that tab's now.
          if (textIn(other) !== text) typed.delete(other)
        }
      })
      // And all of it would be there after the tabs were closed.
      steps.wait()
      deliver()
      for (const text of typed.values()) expect(found().some((it) => it.includes(text))).toBe(true)
      for (const tab of tabs) inTab(tab, (drafts) => drafts.forgetDrafts())
      const kept = Object.values(storage).join()
      for (const text of typed.values()) expect(kept).toContain(text)
      inTab(tabs[0] as Tab, (drafts) => drafts.openDrafts('ada'))
    }),
    tries(300),
  )
})

test('a text that goes on in another tab is followed, and gone everywhere once it is sent', () => {
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
