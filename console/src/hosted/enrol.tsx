import type { PasskeyCreationOptions, TotpSecret } from '@tenantry/client'
import { useEffect, useRef, useState } from 'react'
import { saveFile } from '../components/save-file.ts'
import { useCopy } from '../components/use-copy.ts'
import { loadPart } from '../load-part.ts'
import { canUsePasskeys, createPasskey } from '../session/passkey.ts'
import { useTranslation } from '../translation.ts'
import { Button, CodeField, CurrentPassword, Failure, Form, Notice } from './kit.tsx'
import { isReason } from './send.ts'
import { useAct, useForm } from './use-form.ts'
import type { StepProps } from './use-interaction.ts'

type Kind = 'totp' | 'passkey'

const isTotp = (enrolment: TotpSecret | PasskeyCreationOptions): enrolment is TotpSecret =>
  'otpauth_uri' in enrolment

/** Enrols the second factor that the application or the tenant requires. */
export const Enrol = ({ interaction, act }: StepProps) => {
  const { enrolment } = interaction
  if (!enrolment) return <Begin interaction={interaction} act={act} />
  return isTotp(enrolment) ? <App secret={enrolment} act={act} /> : <Passkey options={enrolment} act={act} />
}

const Begin = ({ interaction, act }: StepProps) => {
  const { t } = useTranslation()
  const kinds = (['totp', 'passkey'] as const).filter(
    (kind) => interaction.methods.includes(kind) && (kind === 'totp' || canUsePasskeys()),
  )
  const [chosen, setChosen] = useState<Kind>(kinds[0] ?? 'totp')
  const [isLate, setLate] = useState(false)
  const form = useForm(async ({ password }) => {
    try {
      await act('enrol', { type: chosen, name: t(`factors.kind.${chosen}`), password })
    } catch (err) {
      // The person has waited too long on this step.
      if (password !== undefined || !isReason(err, 'invalidInput')) throw err
      setLate(true)
    }
  })
  return (
    <>
      <p className="dimmed">{t('hosted.enrolText')}</p>
      <Form {...form} submit={t('hosted.next')}>
        <fieldset className="choices">
          <legend className="unseen">{t('hosted.enrolKind')}</legend>
          {kinds.map((kind) => (
            <label key={kind} className="choice">
              <input
                type="radio"
                name="kind"
                value={kind}
                checked={kind === chosen}
                onChange={() => setChosen(kind)}
              />
              <b>{t(`factors.kind.${kind}`)}</b>
              <small className="dimmed">
                {t(kind === 'totp' ? 'factors.addTotpText' : 'factors.addPasskeyText')}
              </small>
            </label>
          ))}
        </fieldset>
        {(interaction.asks_password || isLate) && <CurrentPassword autoFocus={isLate} />}
      </Form>
    </>
  )
}

const App = ({ secret, act }: Pick<StepProps, 'act'> & { secret: TotpSecret }) => {
  const form = useForm(({ code = '' }) => act('enrol/confirm', { code: code.replaceAll(/\s/g, '') }))
  return <TotpForm secret={secret} form={form} />
}

/** Shows the secret of an authenticator app, and asks for its first code. */
export const TotpForm = ({ secret, form }: { secret: TotpSecret; form: ReturnType<typeof useForm> }) => {
  const { t } = useTranslation()
  return (
    <>
      <p className="dimmed">{t('factors.confirmText')}</p>
      <QrCode text={secret.otpauth_uri} />
      <Secret text={secret.secret} />
      <Form {...form} submit={t('factors.confirm')}>
        <CodeField hint={t('factors.codeHint')} />
      </Form>
    </>
  )
}

/** Groups of four letters with a button that copies them. */
const Secret = ({ text }: { text: string }) => {
  const { t } = useTranslation()
  const code = useRef<HTMLElement>(null)
  const select = (): void => void (code.current && getSelection()?.selectAllChildren(code.current))
  const { copying, copy } = useCopy(text, () => undefined, select)
  return (
    <div className="stack tight">
      <span>{t('factors.secret')}</span>
      <div className="secret">
        <code ref={code}>
          {[...text.matchAll(/.{1,4}/g)].map(({ index, 0: group }) => (
            <span key={index}>{group}</span>
          ))}
        </code>
        <Button onClick={copy}>{t(copying === 'done' ? 'common.copied' : 'common.copy')}</Button>
      </div>
      {copying === 'failed' && <Notice kind="bad">{t('common.copyFailed')}</Notice>}
    </div>
  )
}

const loadQr = loadPart(() => import('uqr'))

/** Dark on white in both colour schemes, because many apps read no inverted code. */
const QrCode = ({ text }: { text: string }) => {
  const { t } = useTranslation()
  const [rows, setRows] = useState<boolean[][]>([])
  useEffect(() => {
    const draw = async (): Promise<void> => setRows((await loadQr()).encode(text, { border: 4 }).data)
    // Without the picture, the person can type the secret.
    draw().catch(() => undefined)
  }, [text])
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className="qr" role="img" aria-label={t('factors.qr')} viewBox={`0 0 ${rows.length} ${rows.length}`}>
      <path d={path.join('')} />
    </svg>
  )
}

const Passkey = ({ options, act }: Pick<StepProps, 'act'> & { options: PasskeyCreationOptions }) => {
  const { t } = useTranslation()
  const { isSending, error, run } = useAct(async () =>
    act('enrol/confirm', { response: await createPasskey(options) }),
  )
  return (
    <>
      <p className="dimmed">{t('hosted.passkeyText')}</p>
      <Failure error={error} />
      <Button className="primary" isSending={isSending} onClick={run}>
        {t('hosted.passkeyCreate')}
      </Button>
    </>
  )
}

interface RecoveryCodesProps {
  codes: string[]
  account: string
  onKept: () => void
}

/** Shows new recovery codes once. Printing the page prints only the codes (hosted.css). */
export const RecoveryCodes = ({ codes, account, onKept }: RecoveryCodesProps) => {
  const { t } = useTranslation()
  const [isKept, setKept] = useState(false)
  const text = codes.join('\n')
  const { copying, copy } = useCopy(text, () => undefined)
  const save = (): void => {
    const day = new Date().toISOString().slice(0, 10)
    saveFile([`${text}\n`], `recovery-codes-${location.hostname}-${day}.txt`, 'text/plain;charset=utf-8')
  }
  return (
    <>
      <Notice kind="warning">
        <b>{t('factors.codesOnce')}</b>
        <span>{t('factors.codesOnceText')}</span>
      </Notice>
      <p className="only-printed">
        {location.origin}
        <br />
        {account}
      </p>
      <ul className="codes" aria-label={t('factors.codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row">
        <Button onClick={save}>{t('factors.codesSave')}</Button>
        <Button onClick={() => print()}>{t('factors.codesPrint')}</Button>
        <Button onClick={copy}>{t(copying === 'done' ? 'common.copied' : 'factors.codesCopy')}</Button>
      </div>
      {copying === 'failed' && <Notice kind="bad">{t('factors.copyFailed')}</Notice>}
      <label className="check">
        <input type="checkbox" checked={isKept} onChange={({ target }) => setKept(target.checked)} />
        <span>{t('hosted.kept')}</span>
      </label>
      <Button className="primary" disabled={!isKept} onClick={onKept}>
        {t('hosted.next')}
      </Button>
    </>
  )
}
