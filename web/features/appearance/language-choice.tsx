import { languages } from 'virtual:language-names'
import { useMutation } from '@tanstack/react-query'
import { updateMe } from '#contract/users'
import { call } from '../../api-client/api.ts'
import { explainFailure } from '../../api-client/failure-text.ts'
import { loadUserLanguage, showUserLanguage, useChosenLanguage } from '../../browser/language.ts'
import { compareNames } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { Select } from '../../ui/input/select.tsx'

const BROWSER = 'browser'
/** Generated from English, to find texts that are cut off or not translated. */
const PSEUDO = { code: 'en-XA', name: 'Ƥšéüđø' }

/** Chooses the language of my account, which all my devices show. */
export function LanguageChoice() {
  const chosen = useChosenLanguage()
  const { mutate, isPending, variables, error } = useMutation({
    // Without a connection it fails at once, and the language stays.
    networkMode: 'always',
    mutationFn: async (value: string) => {
      const language = value === BROWSER ? null : value
      await loadUserLanguage(language)
      await call(updateMe, { body: { language } })
      await showUserLanguage(language)
    },
    onError: (failure) => console.error('Failed to change language:', failure),
  })
  const options = [
    { value: BROWSER, name: t('appearance.browserLanguage') },
    ...[...languages, ...(import.meta.env.DEV ? [PSEUDO] : [])]
      .sort((a, b) => compareNames(a.name, b.name))
      .map(({ code, name }) => ({ value: code, name, lang: code })),
  ]
  const value = (isPending ? variables : chosen) ?? BROWSER
  return (
    <div className="mt-6">
      <Select
        label={t('appearance.language')}
        options={options}
        // A program may have chosen a language that Parley does not support.
        value={options.some((option) => option.value === value) ? value : BROWSER}
        onChange={mutate}
      />
      {error && (
        <p role="alert" className="mt-1.5 text-danger text-meta">
          {explainFailure(t('appearance.languageFailed'), error)}
        </p>
      )}
    </div>
  )
}
