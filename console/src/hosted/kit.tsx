/** The components of the sign-in pages, in plain HTML and hosted.css. */
import { createContext, useContext, useId, useState, type ComponentProps, type ReactNode } from 'react'
import { useErrorText } from '../components/error-text.ts'
import { useTranslation } from '../translation.ts'

/** The faults of a form's fields, by name. */
const Faults = createContext<Partial<Record<string, string>>>({})

interface LabelledProps {
  name: string
  label: string
  hint?: string | undefined
  /** Gets what ties the input to its label, hint and fault. */
  children: (tied: Pick<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'>) => ReactNode
}

export const Labelled = ({ name, label, hint, children }: LabelledProps) => {
  const id = useId()
  const fault = useContext(Faults)[name]
  const said = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <small id={`${id}-hint`} className="dimmed">
          {hint}
        </small>
      )}
      {children({ id, 'aria-invalid': fault !== undefined, 'aria-describedby': said || undefined })}
      {fault && (
        <small id={`${id}-fault`} className="bad" role="alert">
          {fault}
        </small>
      )}
    </div>
  )
}

interface FieldProps extends ComponentProps<'input'> {
  name: string
  label: string
  hint?: string | undefined
  /** Drawn inside the field, at its end. */
  children?: ReactNode
}

export const Field = ({ label, hint, children, ...input }: FieldProps) => (
  <Labelled name={input.name} label={label} hint={hint}>
    {(tied) => (
      <span className="box">
        <input {...tied} spellCheck={false} autoCapitalize="none" {...input} />
        {children}
      </span>
    )}
  </Labelled>
)

/** A code of an authenticator app or an e-mail. */
export const CodeField = ({ hint }: { hint: string }) => {
  const { t } = useTranslation()
  return (
    <Field
      name="code"
      label={t('factors.code')}
      hint={hint}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
      required
    />
  )
}

export const PasswordField = (props: Omit<FieldProps, 'type'>) => {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <Field {...props} type={isShown ? 'text' : 'password'}>
      <button
        type="button"
        className="peek"
        aria-label={t('common.showPassword')}
        aria-pressed={isShown}
        // A click leaves the focus in the field.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setShown(!isShown)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7z" />
          <circle cx="12" cy="12" r="3" />
          {!isShown && <path d="M4 4l16 16" />}
        </svg>
      </button>
    </Field>
  )
}

export const EmailField = (props: Omit<FieldProps, 'name' | 'type' | 'label'>) => {
  const { t } = useTranslation()
  return <Field name="email" type="email" label={t('fields.email')} {...props} />
}

export const CurrentPassword = (props: Pick<FieldProps, 'autoFocus'>) => {
  const { t } = useTranslation()
  return (
    <PasswordField
      name="password"
      label={t('fields.password')}
      autoComplete="current-password"
      required
      {...props}
    />
  )
}

interface ButtonProps extends ComponentProps<'button'> {
  isSending?: boolean
}

/** During the sending, the button stays focusable and ignores clicks. */
export const Button = ({ isSending = false, className = '', onClick, ...props }: ButtonProps) => (
  <button
    type="button"
    className={`button ${className}`}
    aria-disabled={isSending || undefined}
    onClick={isSending ? undefined : onClick}
    {...props}
  />
)

/** A button that looks like a link, for the other actions of a step. */
export const LinkButton = (props: ComponentProps<'button'>) => (
  <button type="button" className="link-button" {...props} />
)

export const Notice = ({ kind, children }: { kind: 'bad' | 'warning' | 'good'; children: ReactNode }) => (
  <div className={`notice ${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
    {children}
  </div>
)

export const focusOn = (element: HTMLElement | null): void => element?.focus()

/** Replaces a form and gets the focus, so that a screen reader reads it. */
export const Message = ({ kind, children }: { kind: 'warning' | 'good'; children: ReactNode }) => (
  <div className={`notice ${kind}`} role="status" tabIndex={-1} ref={focusOn}>
    {children}
  </div>
)

export const Failure = ({ error }: { error: unknown }) => {
  const textOf = useErrorText()
  return error === undefined ? null : <Notice kind="bad">{textOf(error)}</Notice>
}

interface FormProps {
  onSubmit: ComponentProps<'form'>['onSubmit']
  isSending: boolean
  error: unknown
  faults: Record<string, string>
  submit: string
  /** True for a change that is hard to undo. */
  isDangerous?: boolean
  isBlocked?: boolean
  children: ReactNode
}

/** A form that uses the result of `useForm`. */
export const Form = ({ onSubmit, isSending, error, faults, submit, children, ...look }: FormProps) => (
  <form noValidate onSubmit={onSubmit} className="stack">
    <Failure error={error} />
    <Faults value={faults}>{children}</Faults>
    <Button
      type="submit"
      className={look.isDangerous ? 'danger' : 'primary'}
      isSending={isSending}
      disabled={look.isBlocked}
    >
      {submit}
    </Button>
  </form>
)
