import { t } from '../i18n/text.ts'
import { Field } from '../ui/input/field.tsx'
import { tidyName } from './emoji-name.ts'

interface Props {
  value: string
  error: string | undefined
  /** Gets what is typed, which may be more than a name; `tidyName` makes it one. */
  onChange: (typed: string) => void
}

const colon = <span className="text-faint">:</span>

/** The name of an emoji, between colons. It becomes tidy when it is left: while it is typed, the caret would jump. */
export function NameField({ value, error, onChange }: Props) {
  return (
    <Field
      label={t('emoji.add.name')}
      before={colon}
      after={colon}
      value={value}
      error={error}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
      onBlur={() => tidyName(value) !== value && onChange(tidyName(value))}
    />
  )
}
