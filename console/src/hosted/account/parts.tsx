/** The components that only the pages of the own account use. */
import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { Button, Failure, Form, PasswordField } from '../kit.tsx'
import { isReason } from '../send.ts'
import { useAct, useForm, type useRead } from '../use-form.ts'
import { useAccount } from './account.ts'
import { beginHere } from './session.ts'

interface SectionProps {
  title: string
  hint?: string
  children: ReactNode
}

export const Section = ({ title, hint, children }: SectionProps) => {
  const id = useId()
  return (
    <section className="card stack" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {hint !== undefined && <p className="dimmed">{hint}</p>}
      </div>
      {children}
    </section>
  )
}

interface LoadedProps<T> {
  read: ReturnType<typeof useRead<T>>
  children: (data: T) => ReactNode
}

/** The content once it is read. After a failure, a button that tries again. */
export const Loaded = <T,>({ read: { data, error, retry }, children }: LoadedProps<T>) => {
  const { t } = useTranslation()
  return (
    <>
      <Failure error={error} />
      {error !== undefined && <Button onClick={retry}>{t('common.retry')}</Button>}
      {data === undefined
        ? error === undefined && <p className="dimmed">{t('common.loading')}</p>
        : children(data)}
    </>
  )
}

interface ItemsProps<T> {
  label: string
  items: T[]
  idOf: (item: T) => string | number
  children: (item: T) => ReactNode
}

/** A list of facts, each with its button at the end. */
export const Items = <T,>({ label, items, idOf, children }: ItemsProps<T>) => (
  <ul className="items" aria-label={label}>
    {items.map((item) => (
      <li key={idOf(item)}>{children(item)}</li>
    ))}
  </ul>
)

/** Facts in one line, which breaks between them. */
export const FactLine = ({ facts }: { facts: (string | false | undefined)[] }) => (
  <p className="dimmed fact-line">
    {facts.filter(Boolean).map((fact, nth) => (
      <span key={nth}>{fact}</span>
    ))}
  </p>
)

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A window over the page. The browser keeps the focus inside, and returns it to the opener. */
const Dialog = ({ title, onClose, children }: DialogProps) => {
  const { t } = useTranslation()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    current
      ?.querySelector<HTMLElement>(current.querySelector('form') ? 'input:not([type=hidden])' : 'h2')
      ?.focus()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // The browser reports the close later. A button pressed before that would open nothing.
      onCancel={({ target }) => target === dialog.current && onClose()}
      onClose={({ target }) => target === dialog.current && !dialog.current.open && onClose()}
    >
      <div className="stack">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {children}
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </dialog>
  )
}

interface DialogButtonProps {
  label: string
  /** The full name of the button, where `label` alone names several. */
  name?: string
  title?: string
  className?: string
  children: (close: () => void) => ReactNode
}

/** A button that opens a window. */
export const DialogButton = ({ label, name, title, className = '', children }: DialogButtonProps) => {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button className={className} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={title ?? name ?? label} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  )
}

interface ProofFormProps {
  submit: string
  /** Receives the fields by name, and the password if the account has one. */
  send: (values: Record<string, string>, proof: { password?: string }) => Promise<void>
  checks?: Parameters<typeof useForm>[1]
  isDangerous?: boolean
  isBlocked?: boolean
  /** True if the password comes before the other fields. */
  isProofFirst?: boolean
  children?: ReactNode
}

/** A form for a change that needs the password. */
export const ProofForm = ({ send, checks, isProofFirst = false, children, ...look }: ProofFormProps) => {
  const { t } = useTranslation()
  const { user, hasPassword } = useAccount()
  const form = useForm(
    ({ old_password: password, ...values }) => send(values, password === undefined ? {} : { password }),
    checks,
  )
  if (isReason(form.error, 'proofTooOld', 'mfaRequired')) return <SignInAnew error={form.error} />
  return (
    <Form {...form} {...look}>
      {!isProofFirst && children}
      {/* Password managers find the password by it. */}
      <input type="hidden" autoComplete="username" value={user.email} readOnly />
      {hasPassword && (
        <PasswordField
          name="old_password"
          label={t('profile.oldPassword')}
          autoComplete="current-password"
          required
        />
      )}
      {isProofFirst && children}
    </Form>
  )
}

/** The sign-in is too long ago for the change, or was by one kind of proof. */
const SignInAnew = ({ error }: { error: unknown }) => {
  const { t } = useTranslation()
  const { email } = useAccount().user
  return (
    <>
      <Failure error={error} />
      <Button className="primary" onClick={() => void beginHere({ prompt: 'login', login_hint: email })}>
        {t('signIn.again')}
      </Button>
    </>
  )
}

interface ConfirmProps {
  text: string
  confirm: string
  act: () => Promise<void>
}

/** The contents of a window that asks before a change. */
export const Confirm = ({ text, confirm, act }: ConfirmProps) => {
  const { isSending, error, run } = useAct(act)
  return (
    <>
      <p>{text}</p>
      <Failure error={error} />
      <Button className="danger" isSending={isSending} onClick={() => run()}>
        {confirm}
      </Button>
    </>
  )
}
