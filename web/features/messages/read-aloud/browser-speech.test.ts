import { expect, it } from 'vitest'
import { chooseVoice } from './browser-speech.ts'

const voice = (lang: string, localService: boolean, isDefault = false) => ({ lang, localService, default: isDefault })

it('messages are read by a voice of this device in the browser’s language, or in another one, but never by a remote one', () => {
  const [remote, german, british, french] = [
    voice('en-US', false, true),
    voice('de-DE', true),
    voice('en_GB', true),
    voice('fr-FR', true, true),
  ]
  const all = [remote, german, british, french]
  expect(chooseVoice(all, 'de-DE')).toBe(german)
  expect(chooseVoice(all, 'en-US')).toBe(british)
  expect(chooseVoice(all, 'ja')).toBe(french)
  expect(chooseVoice([remote], 'en-US')).toBeUndefined()
})
