import { type ComponentProps, type ReactNode, useId } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'id'> {
  label: string
  hint?: string | undefined
  error?: string | undefined
  before?: ReactNode
  after?: ReactNode
}

/** A labelled text input with an icon before it, a control after it, and a hint or an error below. */
export function Field({ label, hint, error, before, after, ...input }: Props) {
  const id = useId()
  const note = error ?? hint
  return (
    <div data-field="">
      <label htmlFor={id} className="mb-1.5 block font-[550] text-ui">
        {label}
      </label>
      <div
        // Text that is left-to-right in any language, such as '@ada', keeps its '@' on the left.
        dir={input.dir === 'ltr' ? 'ltr' : undefined}
        className={`field-edge flex h-10 pointer-coarse:h-11 items-center gap-2 rounded-m bg-paper px-3 ${error ? 'border-danger focus-within:border-danger' : ''}`}
      >
        {before}
        <input
          id={id}
          className="h-full min-w-0 flex-1 bg-transparent outline-none"
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          {...input}
        />
        {after}
      </div>
      {note && (
        <p
          id={`${id}-note`}
          role={error ? 'alert' : undefined}
          className={`mt-1.5 text-pretty text-meta ${error ? 'text-danger' : 'text-faint'}`}
        >
          {note}
        </p>
      )}
    </div>
  )
}
