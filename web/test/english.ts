import { loadAllTexts, showLanguage } from '../i18n/language.ts'

await showLanguage('en')
await loadAllTexts()
