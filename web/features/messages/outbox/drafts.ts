import { v4 as uuid } from 'uuid'
import { readTabItem, saveItem, saveTabItem } from '../../../ui/device/local-storage.ts'
import { type Draft, emptyDraft, isWritten } from './draft.ts'
import { mayOverwrite, reactionTo } from './draft-conflicts.ts'
import { draftKeys, type Entry, entryOf, readEntry } from './draft-entries.ts'

// Drafts are stored in localStorage, not in the outbox's IndexedDB: a page that is being closed can still write there, but
// would be gone before a database answered. Its events also notify the other tabs.
//
// A conversation's key is the id of its channel or, in a thread, of the parent; open-edits.ts has the keys of edits.

const SAVE_DELAY_MS = 300

/** A user's drafts on this device, as this tab shows them. Without a user, and once closed, nothing is stored. */
export class Drafts {
  readonly userId: string | undefined
  readonly #onChange: () => void
  readonly #keys: ReturnType<typeof draftKeys>
  #isStored: boolean
  readonly #drafts = new Map<string, Draft>()
  /** Conversations whose drafts changed and are not stored yet. */
  readonly #unsaved = new Set<string>()
  /** When the user last typed in a draft; no entry if the composer only shows what was stored. */
  readonly #typedAt = new Map<string, number>()
  /** The storage key and the version of the entry that this tab shows, by conversation. */
  readonly #shownKeys = new Map<string, string>()
  readonly #versions = new Map<string, string | undefined>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(userId: string | undefined, onChange: () => void) {
    this.userId = userId
    this.#onChange = onChange
    this.#keys = draftKeys(userId)
    this.#isStored = userId !== undefined
    if (!this.#isStored) return
    this.#load()
    globalThis.addEventListener?.('storage', this.#onStorage)
    globalThis.addEventListener?.('pagehide', this.save)
    // Phones may end a hidden page without another event.
    globalThis.document?.addEventListener('visibilitychange', this.save)
  }

  get(conversation: string): Draft {
    return this.#drafts.get(conversation) ?? emptyDraft
  }

  /** All unsent text, including entries that no composer of this tab shows. */
  all() {
    const shown = [...this.#drafts].map(([conversation, draft]) => ({
      key: this.#shownKey(conversation),
      conversation,
      draft,
      at: this.#writtenAt(conversation),
      isOwn: true,
    }))
    const others = (this.#isStored ? this.#keys.all() : [])
      .filter((key) => !shown.some((entry) => entry.key === key))
      .map((key) => {
        const draft = readEntry(key) ?? emptyDraft
        return { key, conversation: this.#keys.conversationIn(key), draft, at: draft.at, isOwn: false }
      })
    return [...shown, ...others].filter(({ draft }) => isWritten(draft))
  }

  /** @param at when it was written; Unix time in milliseconds */
  set(conversation: string, draft: Draft, at = Date.now()) {
    this.show(conversation, draft)
    this.#typedAt.set(conversation, at)
    this.#unsaved.add(conversation)
    // An empty draft is saved at once, because an empty composer may show another tab's text at any moment.
    if (draft.text === '') this.save()
    else this.#timer ??= setTimeout(this.save, SAVE_DELAY_MS)
  }

  /** Shows a draft without storing it, because nobody has changed it yet. */
  show(conversation: string, draft: Draft) {
    if (draft.text === '' && !draft.refusal && !draft.edit) this.#drafts.delete(conversation)
    else this.#drafts.set(conversation, draft)
    this.#onChange()
  }

  /** Discards a draft by its entry's key. Returns a function that undoes it. */
  discard(key: string): () => void {
    const conversation = this.#keys.conversationIn(key)
    const before = this.#in(conversation)
    this.#removeEntry(conversation, key)
    const own = before.find((entry) => entry.key === key)
    const known = new Set(before.filter((entry) => entry !== own).map((entry) => entry.key))
    return () => own && this.#restore(conversation, own, known)
  }

  /** Clears a draft that was sent or discarded, here and in other tabs that show exactly this text. */
  end(conversation: string) {
    this.save()
    const key = this.#shownKey(conversation)
    const { text } = this.get(conversation)
    const version = this.#versions.get(conversation)
    if (mayOverwrite(readEntry(key), version)) this.#storeEnded(key, text, version)
    this.set(conversation, emptyDraft)
  }

  readonly save = () => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const changed = [...this.#unsaved]
    this.#unsaved.clear()
    if (!this.#isStored || changed.length === 0) return
    for (const conversation of changed) this.#saveOne(conversation)
    this.#onChange()
  }

  /** Whether the device has what this conversation shows. */
  isStored(conversation: string) {
    return readEntry(this.#shownKey(conversation))?.text === this.get(conversation).text
  }

  /** Saves all changes and closes. The drafts stay on the device until the user returns. */
  close() {
    this.save()
    this.#isStored = false
    globalThis.removeEventListener?.('storage', this.#onStorage)
    globalThis.removeEventListener?.('pagehide', this.save)
    globalThis.document?.removeEventListener('visibilitychange', this.save)
    for (const map of [this.#typedAt, this.#shownKeys, this.#versions, this.#drafts]) map.clear()
    this.#onChange()
  }

  /** Deletes the drafts from this device and closes. */
  destroy() {
    if (this.#isStored) for (const key of this.#keys.all()) saveItem(key)
    this.#unsaved.clear()
    this.close()
  }

  /** Each conversation shows the entry typed in this tab, else the one with its own key, else any other. */
  #load() {
    const keys = this.#keys.all()
    for (const conversation of new Set(keys.map(this.#keys.conversationIn))) {
      const own = keys.filter((key) => this.#keys.conversationIn(key) === conversation)
      const typedHere = own.find((key) => key === tabEntryKey(conversation))
      const key = typedHere ?? own.find((key) => key === this.#keys.keyOf(conversation)) ?? (own[0] as string)
      this.#shownKeys.set(conversation, key)
      this.#showEntry(conversation, readEntry(key))
      if (typedHere) {
        this.#typedAt.set(conversation, 0)
        setTabEntryKey(conversation, typedHere)
      }
    }
  }

  #in(conversation: string) {
    return this.all().filter((entry) => entry.conversation === conversation)
  }

  #shownKey(conversation: string) {
    return this.#shownKeys.get(conversation) ?? this.#keys.keyOf(conversation)
  }

  /** When the draft that this tab shows was written; undefined if that is unknown. */
  #writtenAt(conversation: string) {
    return this.#typedAt.get(conversation) || this.get(conversation).at
  }

  #removeEntry(conversation: string, key: string) {
    if (key === this.#shownKey(conversation) && this.#drafts.has(conversation)) return this.end(conversation)
    const entry = readEntry(key)
    if (entry) this.#storeEnded(key, entry.text, entry.version)
    saveItem(key)
    this.#onChange()
  }

  /**
   * Restores a discarded draft: in its conversation or, if that has another one by now, as a second entry. Does nothing
   * if another tab has continued it: then an entry that was not `known` before starts with it.
   */
  #restore(conversation: string, { draft, at }: { draft: Draft; at: number | undefined }, known: ReadonlySet<string>) {
    const { text } = draft
    if (text !== '' && this.#in(conversation).some((it) => !known.has(it.key) && it.draft.text.startsWith(text))) return
    if (!isWritten(this.get(conversation)) && !readEntry(this.#keys.keyOf(conversation)))
      return this.set(conversation, draft, at)
    this.#store(this.#keys.newKeyBeside(conversation), { ...draft, at: at ?? Date.now() })
    this.#onChange()
  }

  #store(key: string, entry: Entry) {
    if (this.#isStored) saveItem(key, JSON.stringify(entry))
  }

  /** Marks an entry as sent or discarded for other tabs, before it is removed. */
  #storeEnded(key: string, text: string, version: string | undefined) {
    this.#store(key, { text: '', ended: text, ...(version && { version }) })
  }

  #saveOne(conversation: string) {
    const draft = this.get(conversation)
    const before = this.#shownKey(conversation)
    const ownKey = this.#keys.keyOf(conversation)
    const isOurs = mayOverwrite(readEntry(before), this.#versions.get(conversation))
    if (!isWritten(draft) && !draft.refusal) {
      if (isOurs) saveItem(before)
      return this.#setShownEntry(conversation, ownKey, undefined)
    }
    // A second entry moves to the conversation's own key as soon as that is free.
    const isFree = before !== ownKey && !readEntry(ownKey)
    const keptKey = isOurs ? before : this.#keys.newKeyBeside(conversation)
    const key = isFree ? ownKey : keptKey
    const version = uuid()
    this.#store(key, { ...draft, version, at: this.#writtenAt(conversation) ?? Date.now() })
    if (isFree && isOurs) saveItem(before)
    this.#setShownEntry(conversation, key, version)
  }

  #setShownEntry(conversation: string, key: string, version: string | undefined) {
    this.#shownKeys.set(conversation, key)
    this.#versions.set(conversation, version)
    setTabEntryKey(conversation, isWritten(this.get(conversation)) ? key : undefined)
  }

  /** Another tab stored or removed an entry. */
  readonly #onStorage = ({ key, newValue }: StorageEvent) => {
    if (!key || !this.#keys.has(key)) return
    const conversation = this.#keys.conversationIn(key)
    if (key !== this.#shownKey(conversation)) return this.#onChange()
    const change: Entry | undefined = entryOf(JSON.parse(newValue ?? 'null'))
    const typedAt = this.#typedAt.get(conversation)
    const reaction = reactionTo(change, readEntry(key), {
      text: this.get(conversation).text,
      version: this.#versions.get(conversation),
      sinceTypedMs: typedAt === undefined ? undefined : Date.now() - typedAt,
    })
    if (reaction === 'show it') return this.#showEntry(conversation, change)
    if (reaction === 'keep both') {
      const beside = this.#keys.newKeyBeside(conversation)
      this.#setShownEntry(conversation, beside, undefined)
      this.#store(beside, { ...this.get(conversation), at: this.#writtenAt(conversation) ?? Date.now() })
    }
    this.#onChange()
  }

  #showEntry(conversation: string, entry: Entry | undefined) {
    const { version, ended: _, ...draft } = entry ?? { ...emptyDraft }
    this.#versions.set(conversation, version)
    this.#typedAt.delete(conversation)
    setTabEntryKey(conversation, undefined)
    this.show(conversation, draft)
  }
}

// The key of the entry typed in this tab, which a reload shows instead of another tab's.

const tabItem = (conversation: string) => `parley.entry.${conversation}`
const tabEntryKey = (conversation: string) => readTabItem(tabItem(conversation))
const setTabEntryKey = (conversation: string, key: string | undefined) => saveTabItem(tabItem(conversation), key)
