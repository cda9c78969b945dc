import { t } from '../../i18n/text.ts'
import { Field } from '../../ui/input/field.tsx'

interface Props {
  value: string
  note?: string
  error: string | undefined
  onChange: (token: string) => void
}

/** The token of a Slack app, which is stored only until the import has ended. */
export const SlackToken = ({ value, onChange, ...field }: Props) => (
  <Field
    label={t('imports.slack.token')}
    hint={t('imports.slack.tokenHint')}
    type="password"
    dir="ltr"
    // "off" would let browsers fill in a password of this site.
    autoComplete="new-password"
    spellCheck={false}
    maxLength={500}
    value={value}
    onChange={({ target }) => onChange(target.value)}
    {...field}
  />
)
