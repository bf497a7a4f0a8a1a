import { useRenew } from '../../components/use-renew.ts'

/** Each removal ends sessions of the user, so their list is refreshed as well. */
export const useRenewFactors = () => useRenew(['factors'], ['sessions'])
