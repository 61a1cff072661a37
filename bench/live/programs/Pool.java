import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool of four threads works. A message asks for answers; the log gets a sign when all are printed. */
public class Pool {
  public static void main(String[] args) throws Exception {
    FileOutputStream log = new FileOutputStream(args[0], true);
    System.err.println("pid " + ProcessHandle.current().pid());
    ExecutorService pool = Executors.newFixedThreadPool(4);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      // The list of milliseconds is all that matters of the message.
      String list = line.substring(line.indexOf('[') + 1, line.indexOf(']'));
      String[] work = list.isEmpty() ? new String[0] : list.split(",");
      AtomicInteger left = new AtomicInteger(work.length + 1);
      for (String ms : work)
        pool.execute(
            () -> {
              long until = System.nanoTime() + (long) (Double.parseDouble(ms) * 1e6);
              while (System.nanoTime() < until) {}
              synchronized (System.out) {
                System.out.print("{\"to\": \"peer\", \"message\": " + ms + "}\n");
                System.out.flush();
              }
              end(left, log);
            });
      end(left, log);
    }
  }

  private static void end(AtomicInteger left, FileOutputStream log) {
    try {
      if (left.decrementAndGet() == 0) log.write('-');
    } catch (java.io.IOException error) {
      throw new java.io.UncheckedIOException(error);
    }
  }
}
