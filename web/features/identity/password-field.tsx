import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Field } from '../../ui/input/field.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'

/** A password that can be shown. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'label' | 'type' | 'after'>) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      {...props}
      label="Password"
      name="password"
      type={shown ? 'text' : 'password'}
      after={
        <IconButton
          name={shown ? 'Hide password' : 'Show password'}
          className="-mr-1.5 pointer-coarse:size-9"
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff size={16} /> : <Eye size={16} />}
        </IconButton>
      }
    />
  )
}
