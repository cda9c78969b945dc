import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { t } from '../../i18n/text.ts'
import { Field } from '../../ui/input/field.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'

type Props = Omit<ComponentProps<typeof Field>, 'label' | 'type' | 'after'> & { label?: string }

/** A password field with a button that reveals the text. */
export function PasswordField({ label = t('signIn.password'), ...props }: Props) {
  const [isShown, setShown] = useState(false)
  return (
    <Field
      name="password"
      {...props}
      label={label}
      dir="ltr"
      type={isShown ? 'text' : 'password'}
      after={
        <IconButton
          name={isShown ? t('signIn.hidePassword') : t('signIn.showPassword')}
          className="-me-1.5 pointer-coarse:size-9"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff size={16} /> : <Eye size={16} />}
        </IconButton>
      }
    />
  )
}
