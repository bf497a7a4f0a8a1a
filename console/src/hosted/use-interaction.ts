import { ApiError, type Interaction } from '@tenantry/client'
import { useCallback, useEffect, useState } from 'react'
import { keepHome } from './home.ts'
import { send } from './send.ts'

/** Sends an act of the person. Rejects with errors that the form of the step shows. */
export type Act = (name: string, body?: object) => Promise<void>

interface State {
  /** Undefined before the first answer. */
  interaction: Interaction | undefined
  /** The service does not know it any more. */
  isLost: boolean
  /** The person has said no. */
  isRefused: boolean
  /** Counts the steps: one that comes again is drawn anew. */
  turn: number
  /** The first answer did not come, or another step has replaced the one that failed. */
  error: unknown
  /** Shown once, before the next step. */
  codes: string[]
}

const begin: State = {
  interaction: undefined,
  isLost: false,
  isRefused: false,
  turn: 0,
  error: undefined,
  codes: [],
}

const isReason = (err: unknown, ...reasons: string[]): boolean =>
  err instanceof ApiError && reasons.includes(err.reason)

/** The state after an answer. */
const after = ({ turn }: State, interaction: Interaction, changes: Partial<State> = {}): State => {
  keepHome(interaction)
  const codes = interaction.recovery_codes ?? []
  return { ...begin, interaction, codes, turn: turn + 1, ...changes }
}

/** Another tab has signed in to the console. */
const useSignInElsewhere = (load: () => Promise<void>): void => {
  useEffect(() => {
    const look = (): void => void load()
    addEventListener('storage', look)
    return () => removeEventListener('storage', look)
  }, [load])
}

/** The interaction of the address, and the acts that move it on. */
export const useInteraction = (id: string) => {
  const [state, setState] = useState(begin)
  const path = `/oauth2/interactions/${id}`

  /** `error` is the one that made the former step obsolete. */
  const load = useCallback(
    async (error?: unknown): Promise<void> => {
      try {
        const next = await send<Interaction>('GET', path)
        setState((former) => {
          const isSame = error === undefined && former.interaction?.step === next.step
          return isSame ? former : after(former, next, { error })
        })
      } catch (err) {
        const isLost = isReason(err, 'interactionUnknown')
        setState((former) => ({
          ...former,
          isLost,
          error: err,
          turn: isLost ? former.turn + 1 : former.turn,
        }))
      }
    },
    [path],
  )

  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- after the answer
    void load()
  }, [load])

  useSignInElsewhere(load)

  const act: Act = async (name, body = {}) => {
    const isRefused = name === 'cancel' || ('allow' in body && body.allow === false)
    try {
      const next = await send<Interaction>('POST', `${path}/${name}`, body)
      setState((former) => after(former, next, { isRefused }))
    } catch (err) {
      if (!isReason(err, 'interactionUnknown', 'stepWrong', 'challengeDead')) throw err
      await load(err)
    }
  }

  const keepCodes = (): void => setState((former) => ({ ...former, codes: [], turn: former.turn + 1 }))

  return { ...state, act, load, keepCodes }
}

export type Held = ReturnType<typeof useInteraction>
