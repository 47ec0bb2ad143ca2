/** The child process of `ImageProcesses`. Its arguments are the limits of a task: seconds of processor time and bytes of memory. */
import { serveTasks } from '../../../runtime/serve-tasks.js';
import { perform } from './image-decoder.js';

serveTasks(perform, { seconds: Number(process.argv[2]), bytes: Number(process.argv[3]) });
