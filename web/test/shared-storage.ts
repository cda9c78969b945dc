/** The payload of a `storage` event. */
export type Change = Pick<StorageEvent, 'key' | 'newValue' | 'oldValue'>

/** The storage that the tabs share. It reports each change, as browsers do. */
export class SharedStorage {
  [key: string]: unknown
  static report: (change: Change) => void = () => {}
  getItem(key: string) {
    return (this[key] as string | undefined) ?? null
  }
  setItem(key: string, newValue: string) {
    const oldValue = this.getItem(key)
    this[key] = newValue
    if (newValue !== oldValue) SharedStorage.report({ key, oldValue, newValue })
  }
  removeItem(key: string) {
    const oldValue = this.getItem(key)
    delete this[key]
    if (oldValue !== null) SharedStorage.report({ key, oldValue, newValue: null })
  }
}
