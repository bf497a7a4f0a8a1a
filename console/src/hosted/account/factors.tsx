import type { Factor, Factors as FactorsAnswer, TotpSecret } from '@tenantry/client'
import { useState } from 'react'
import { useFormat } from '../../format.ts'
import { client } from '../../session/client.ts'
import { canUsePasskeys, createPasskey, tellPasskeys } from '../../session/passkey.ts'
import { useTranslation } from '../../translation.ts'
import { TotpForm } from '../enrol.tsx'
import { Field } from '../kit.tsx'
import { useForm, useRead } from '../use-form.ts'
import { useAccount } from './account.ts'
import { DialogButton, Items, Loaded, ProofForm, Section } from './parts.tsx'

interface ChangeProps {
  /** Ends a change. New recovery codes are shown once; without them, the list is read anew. */
  onDone: (text: string, codes?: string[]) => void
}

/** The second factors and passkeys of the person. */
export const Factors = ({ onCodes }: { onCodes: (codes: string[]) => void }) => {
  const { t } = useTranslation()
  const { say } = useAccount()
  const factors = useRead(() => client.factors.list())
  const onDone = (text: string, codes: string[] = []): void => {
    if (text !== '') say(text)
    factors.retry()
    onCodes(codes)
  }
  return (
    <Section title={t('factors.title')} hint={t('factors.text')}>
      <Loaded read={factors}>{(answer) => <FactorList answer={answer} onDone={onDone} />}</Loaded>
    </Section>
  )
}

const FactorList = ({ answer, onDone }: ChangeProps & { answer: FactorsAnswer }) => {
  const { t } = useTranslation()
  const { options, hasPassword } = useAccount()
  const { factors, recovery_codes_left: left } = answer
  return (
    <>
      {factors.length === 0 ? (
        <p>{t(hasPassword ? 'factors.none' : 'factors.noneOfUser')}</p>
      ) : (
        <>
          <Items label={t('factors.title')} items={factors} idOf={({ id }) => id}>
            {(factor) => <FactorItem factor={factor} onDone={onDone} />}
          </Items>
          <div className="item">
            <p>{t('factors.codesLeft', { count: left })}</p>
            <NewCodes onDone={onDone} />
          </div>
        </>
      )}
      <div className="actions">
        <DialogButton label={t('factors.addTotp')}>
          {(close) => <AddTotp onDone={onDone} close={close} />}
        </DialogButton>
        {options.passkeys && canUsePasskeys() && (
          <DialogButton label={t('factors.addPasskey')}>
            {(close) => <AddPasskey onDone={onDone} close={close} />}
          </DialogButton>
        )}
      </div>
    </>
  )
}

/** After a removal, so that the device offers the removed passkey no more. */
const tellAccepted = async (): Promise<void> => tellPasskeys((await client.factors.list()).accepted_passkeys)

const FactorItem = ({ factor, onDone }: ChangeProps & { factor: Factor }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, name, type, created_at: added, last_used_at: used } = factor
  return (
    <>
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <p className="dimmed">
          {[
            t(type === 'totp' ? 'factors.kind.totp' : 'factors.kind.passkey'),
            used === '' ? t('factors.neverUsed') : t('factors.used', { ago: format.ago(used) }),
          ].join(' · ')}
        </p>
        <p className="dimmed">{t('factors.added', { moment: format.moment(added) })}</p>
      </div>
      <DialogButton label={t('factors.remove')} name={t('factors.removeOne', { name })}>
        {(close) => (
          <>
            <p>{t('factors.removeText')}</p>
            <ProofForm
              submit={t('factors.remove')}
              isDangerous
              send={async (_, proof) => {
                await client.factors.remove(id, proof)
                if (type === 'passkey') await tellAccepted()
                close()
                onDone(t('factors.isRemoved', { name }))
              }}
            />
          </>
        )}
      </DialogButton>
    </>
  )
}

const NewCodes = ({ onDone }: ChangeProps) => {
  const { t } = useTranslation()
  return (
    <DialogButton label={t('factors.newCodes')}>
      {(close) => (
        <>
          <p>{t('factors.newCodesText')}</p>
          <ProofForm
            submit={t('factors.newCodes')}
            send={async (_, proof) => {
              const { recovery_codes: codes } = await client.factors.renewRecoveryCodes(proof)
              close()
              onDone('', codes)
            }}
          />
        </>
      )}
    </DialogButton>
  )
}

interface AddProps extends ChangeProps {
  close: () => void
}

const NameField = ({ value }: { value: string }) => {
  const { t } = useTranslation()
  return (
    <Field
      name="name"
      label={t('fields.name')}
      autoComplete="off"
      maxLength={64}
      defaultValue={value}
      required
    />
  )
}

const AddTotp = ({ onDone, close }: AddProps) => {
  const { t } = useTranslation()
  const [begun, setBegun] = useState<{ name: string; secret: TotpSecret }>()
  if (begun) return <ConfirmTotp {...begun} onDone={onDone} close={close} />
  return (
    <>
      <p>{t('factors.addTotpText')}</p>
      <ProofForm
        submit={t('factors.next')}
        send={async ({ name = '' }, proof) =>
          setBegun({ name, secret: await client.factors.addTotp({ name, ...proof }) })
        }
      >
        <NameField value={t('factors.kind.totp')} />
      </ProofForm>
    </>
  )
}

const ConfirmTotp = ({ name, secret, onDone, close }: AddProps & { name: string; secret: TotpSecret }) => {
  const { t } = useTranslation()
  const form = useForm(async ({ code = '' }) => {
    const sent = { code: code.replaceAll(/\s/g, '') }
    const { recovery_codes: codes } = await client.factors.confirmTotp(secret.id, sent)
    close()
    onDone(t('factors.isAdded', { name }), codes)
  })
  return <TotpForm secret={secret} form={form} />
}

const AddPasskey = ({ onDone, close }: AddProps) => {
  const { t } = useTranslation()
  return (
    <>
      <p>{t('factors.addPasskeyText')}</p>
      <ProofForm
        submit={t('factors.next')}
        send={async ({ name = '' }, proof) => {
          const response = await createPasskey(await client.factors.beginPasskey(proof))
          const { recovery_codes: codes } = await client.factors.addPasskey({ name, response })
          close()
          onDone(t('factors.isAdded', { name }), codes)
        }}
      >
        <NameField value={t('factors.passkeyDevice')} />
      </ProofForm>
    </>
  )
}
